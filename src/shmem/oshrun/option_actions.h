// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "shmem/oshrun/command_line.h"
#include "shmem/oshrun/options.h"

// What the options do, one function for each kind. `text` and `flag` are those of the option's
// rule.

namespace ucxx::shmem::oshrun {

/// Sets `flag`.
void setFlag(const GivenOption& given, Options& options);
void setHelp(const GivenOption& given, Options& options);
void setVersion(const GivenOption& given, Options& options);
void setPes(const GivenOption& given, Options& options);
void setNodePes(const GivenOption& given, Options& options);
void setOneNodePe(const GivenOption& given, Options& options);
/// "ppr:N:node" is a number of PEs of a node; modifiers may say whether PEs may outnumber the
/// processors. The rest has no meaning here.
void setMapping(const GivenOption& given, Options& options);
/// "N:node" is a number of PEs of a node.
void setObjectPes(const GivenOption& given, Options& options);
void setTimeout(const GivenOption& given, Options& options);
void setFolder(const GivenOption& given, Options& options);
/// PEs may outnumber the processors, or not. The last option counts.
void setOversubscribe(const GivenOption& given, Options& options);
void setNoOversubscribe(const GivenOption& given, Options& options);
/// By the option's value.
void setBinding(const GivenOption& given, Options& options);
/// By `text`: the option has no value.
void setNamedBinding(const GivenOption& given, Options& options);
/// NAME or NAME=VALUE.
void setVariable(const GivenOption& given, Options& options);
/// NAME VALUE.
void setVariableAndValue(const GivenOption& given, Options& options);
/// NAME,NAME,...
void setVariableList(const GivenOption& given, Options& options);
/// What Open MPI 5 has in place of several options.
void setOutput(const GivenOption& given, Options& options);
void setDisplay(const GivenOption& given, Options& options);
void setInput(const GivenOption& given, Options& options);
void checkHosts(const GivenOption& given, Options& options);
void checkHostFile(const GivenOption& given, Options& options);
/// Whether the job ends when a PE fails: it always does.
void checkEnd(const GivenOption& given, Options& options);
/// It is accepted; `text` says why it has no meaning here.
void accept(const GivenOption& given, Options& options);
/// It is refused; `text` says what to write.
void refuse(const GivenOption& given, Options& options);

}  // namespace ucxx::shmem::oshrun
