# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the core may have at most. A number here is never raised; whoever gets below it lowers it."""

# Any class: functions that it declares, and fields.
FUNCTIONS = 40
FIELDS = 25

# Those that have more.
FUNCTIONS_OF = {
    "Link": 99,
    "Links": 81,
    "Plan": 82,
    "TriggeredCondition": 45,
    "local::Channel": 64,
}
FIELDS_OF = {
    "EndpointState": 37,
    "Link": 29,
    "Operation": 40,
    "Plan": 29,
    "local::Channel": 29,
}

P90_OF_FUNCTIONS = 14  # lines
LINES_OF_FILE = 400
FILES_OVER_IT = 1
UPWARD = 25  # lines of tools/upward.txt
ADDRESSES_OF_LINKS = 0  # fields below the room `link` that point to a Link
LEANING_COMMENTS = 0  # comments that do not stand alone
