# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the core may have at most. A number here is never raised; whoever gets below it lowers it."""

# Any class, unless it stands below: (functions that it declares, fields).
CLASS = (40, 25)

CLASSES = {
    "EndpointState": (10, 53),
    "Link": (217, 91),
    "Links": (89, 16),
    "Loop": (129, 74),
    "Operation": (1, 41),
    "Plan": (82, 29),
    "SendPlan": (40, 13),
    "TriggeredCondition": (45, 22),
    "local::Channel": (64, 29),
}

P90_OF_FUNCTIONS = 14  # lines
LINES_OF_FILE = 400
FILES_OVER_IT = 5
UPWARD = 167  # lines of tools/upward.txt
ADDRESSES_OF_LINKS = 7  # fields below the room `link` that point to a Link
LEANING_COMMENTS = 194  # comments that do not stand alone
