// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "shmem/oshrun/command_line.h"
#include "shmem/oshrun/options.h"

// What the options do, one function for each kind. `text` is what the table of option_rules.cpp
// has for the option. They throw `Refusal`, with the option, its value and what would be right.

namespace ucxx::shmem::oshrun {

using Action = void (*)(const GivenOption& given, const char* text, Options& options);

void setHelp(const GivenOption& given, const char* text, Options& options);
void setVersion(const GivenOption& given, const char* text, Options& options);
void setPes(const GivenOption& given, const char* text, Options& options);
void setNodePes(const GivenOption& given, const char* text, Options& options);
void setOneNodePe(const GivenOption& given, const char* text, Options& options);
void setTagOutput(const GivenOption& given, const char* text, Options& options);
void setVerbose(const GivenOption& given, const char* text, Options& options);
void setQuiet(const GivenOption& given, const char* text, Options& options);
void setReportBindings(const GivenOption& given, const char* text, Options& options);
void setTimeout(const GivenOption& given, const char* text, Options& options);
void setFolder(const GivenOption& given, const char* text, Options& options);
void setNoOversubscribe(const GivenOption& given, const char* text, Options& options);
/// By the option's value.
void setBinding(const GivenOption& given, const char* text, Options& options);
/// By `text`: the option has no value.
void setNamedBinding(const GivenOption& given, const char* text, Options& options);
/// NAME or NAME=VALUE.
void setVariable(const GivenOption& given, const char* text, Options& options);
/// NAME VALUE.
void setVariableAndValue(const GivenOption& given, const char* text, Options& options);
/// NAME,NAME,...
void setVariableList(const GivenOption& given, const char* text, Options& options);
/// "ppr:N:node" is a number of PEs; anything else has no meaning here.
void setMapping(const GivenOption& given, const char* text, Options& options);
/// What Open MPI 5 has in place of several options.
void setOutput(const GivenOption& given, const char* text, Options& options);
void setDisplay(const GivenOption& given, const char* text, Options& options);
void setInput(const GivenOption& given, const char* text, Options& options);
void checkHosts(const GivenOption& given, const char* text, Options& options);
void checkHostFile(const GivenOption& given, const char* text, Options& options);
/// It is accepted; `text` says why it has no meaning here.
void accept(const GivenOption& given, const char* text, Options& options);
/// It is refused; `text` says what to write.
void refuse(const GivenOption& given, const char* text, Options& options);

}  // namespace ucxx::shmem::oshrun
