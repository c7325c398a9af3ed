// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "collectives.h"

#include <algorithm>

#include "module_functions.h"
#include "strided.h"

// The collectives that move data.

namespace ucxx::python::shmem {

Pair pairOf(const Arguments& given, Overlap overlap) {
  requireRunning(given);
  const Pair pair{targetOf(given, 0), symmetricOf(given, 1)};
  requireSameType(given, pair.target, pair.source);
  requireSameOrder(given, pair.target, pair.source);
  if (overlap == Overlap::OneBuffer && pair.target.data == pair.source.data) return pair;
  if (pair.target.data < pair.source.data + pair.source.bytes() &&
      pair.source.data < pair.target.data + pair.target.bytes())
    raise(PyExc_ValueError, "%s: %s and %s overlap: must be apart%s", given.call(), given.nameOf(0),
          given.nameOf(1), overlap == Overlap::OneBuffer ? ", or the same array" : "");
  return pair;
}

void raiseRefused(const Arguments& given, int status) {
  raise(PyExc_RuntimeError, "%s: the library refused it, with status %d", given.call(), status);
}

namespace {

std::size_t bytesOf(const Array& array, std::ptrdiff_t count) noexcept {
  return static_cast<std::size_t>(count * array.item_bytes);
}

#define UCXX_SHMEM_COLLECTIVE                                                        \
  "\n\nCollective over the team. Other threads run meanwhile. Ctrl-C waits for its " \
  "end.\n\nArgs:\n"
#define UCXX_SHMEM_BUFFERS                      \
  "    target: a contiguous symmetric array.\n" \
  "    source: another one, of the same dtype.\n"
#define UCXX_SHMEM_TEAM "    team: the team; all PEs if it is not given."

Signature broadcast_signature{
    "broadcast(target, source, root, size=None, team=None)\n--\n\n"
    "Copy the source of one PE to the target of all, its own too." UCXX_SHMEM_COLLECTIVE
        UCXX_SHMEM_BUFFERS
    "    root: the PE, by its number in the team.\n"
    "    size: how many elements; as many as both arrays have if it is not "
    "given.\n" UCXX_SHMEM_TEAM};
PyObject* broadcast(const Arguments& given) {
  const Pair pair = pairOf(given, Overlap::No);
  const Group group = groupOf(given, 4);
  const int root = peOf(given, 2, group.pes);
  const std::ptrdiff_t size = sizeOf(given, 3, std::min(pair.target.count, pair.source.count));
  return together(given, [&] {
    return functions.broadcastmem(group.team, pair.target.data, pair.source.data,
                                  bytesOf(pair.source, size), root);
  });
}

Signature fcollect_signature{
    "fcollect(target, source, size=None, team=None)\n--\n\n"
    "Join the sources of all PEs, in their order, in the target of all. All have the same "
    "size." UCXX_SHMEM_COLLECTIVE UCXX_SHMEM_BUFFERS
    "    size: how many elements of each source; all if it is not given.\n" UCXX_SHMEM_TEAM};
PyObject* fcollect(const Arguments& given) {
  const Pair pair = pairOf(given, Overlap::No);
  const Group group = groupOf(given, 3);
  const std::ptrdiff_t size = sizeOf(given, 2, pair.source.count);
  if (size > pair.target.count / group.pes)
    raise(Error::Size, "fcollect: %zd elements of each of %d PEs: target has %zd, must have %zd",
          size, group.pes, pair.target.count, size * group.pes);
  return together(given, [&] {
    return functions.fcollectmem(group.team, pair.target.data, pair.source.data,
                                 bytesOf(pair.source, size));
  });
}

Signature collect_signature{
    "collect(target, source, size=None, team=None)\n--\n\n"
    "Join the sources of all PEs, in their order, in the target of all. Sizes may "
    "differ." UCXX_SHMEM_COLLECTIVE UCXX_SHMEM_BUFFERS
    "    size: how many elements of this PE's source; all if it is not given.\n" UCXX_SHMEM_TEAM
    "\n\nRaises:\n    ValueError: on all PEs, if the target of one has no room for all sources."};
PyObject* collect(const Arguments& given) {
  const Pair pair = pairOf(given, Overlap::No);
  const Group group = groupOf(given, 3);
  const std::ptrdiff_t size = sizeOf(given, 2, pair.source.count);
  const int status = withoutGil([&] {
    return functions.collectmem(group.team, pair.target.data, pair.target.bytes(), pair.source.data,
                                bytesOf(pair.source, size));
  });
  if (status != 0)
    raise(Error::Size,
          "collect: the sources of all PEs have more elements together than the target of one; "
          "here it has %zd",
          pair.target.count);
  return none();
}

/// How many elements each PE gets, where the arrays have room for so many of all.
std::ptrdiff_t shareOf(const Arguments& given, int argument, std::ptrdiff_t room, int pes) {
  if (given[argument] != nullptr) return checkedSize(given, argument, room / pes);
  if (room % pes != 0)
    raise(Error::Size, "%s: %zd elements for %d PEs: must be as many for each; or give the size",
          given.call(), room, pes);
  return room / pes;
}

Signature alltoall_signature{
    "alltoall(target, source, size=None, team=None)\n--\n\n"
    "Give each PE its part of the source, and put what the others give after one "
    "another." UCXX_SHMEM_COLLECTIVE UCXX_SHMEM_BUFFERS
    "    size: how many elements for each PE; if it is not given the smaller array's, divided by\n"
    "        the number of PEs, which must divide it.\n" UCXX_SHMEM_TEAM};
PyObject* alltoall(const Arguments& given) {
  const Pair pair = pairOf(given, Overlap::No);
  const Group group = groupOf(given, 3);
  const std::ptrdiff_t size =
      shareOf(given, 2, std::min(pair.target.count, pair.source.count), group.pes);
  return together(given, [&] {
    return functions.alltoallmem(group.team, pair.target.data, pair.source.data,
                                 bytesOf(pair.source, size));
  });
}

std::ptrdiff_t positive(const Arguments& given, int argument) {
  const long stride = given[argument] == nullptr ? 1 : longOf(given, argument);
  if (stride < 1)
    raise(PyExc_ValueError, "%s: %s = %ld: must be at least 1", given.call(),
          given.nameOf(argument), stride);
  return stride;
}
/// How many elements there are at that distance from each other.
std::ptrdiff_t elementsAt(const Array& array, std::ptrdiff_t stride) noexcept {
  return array.count == 0 ? 0 : (array.count - 1) / stride + 1;
}

Signature alltoalls_signature{
    "alltoalls(target, source, tst=1, sst=1, size=None, team=None)\n--\n\n"
    "As alltoall, with elements at regular distances." UCXX_SHMEM_COLLECTIVE UCXX_SHMEM_BUFFERS
    "    tst, sst: how many elements further the next one is, in `target` and in `source`.\n"
    "    size: how many elements for each PE; if it is not given as many as there is room for,\n"
    "        which the number of PEs must divide.\n" UCXX_SHMEM_TEAM};
PyObject* alltoalls(const Arguments& given) {
  const Pair pair = pairOf(given, Overlap::No);
  const Group group = groupOf(given, 5);
  std::ptrdiff_t tst = positive(given, 2), sst = positive(given, 3);
  const std::ptrdiff_t room = std::min(elementsAt(pair.target, tst), elementsAt(pair.source, sst));
  const auto size = static_cast<std::size_t>(shareOf(given, 4, room, group.pes));
  if (room <= 1) tst = sst = 1;  // as they are they may be beyond all numbers of bytes
  // Another library may move a long double as the number that it is, which has 10 bytes.
  const std::ptrdiff_t most_bytes = library().isAdapter() ? 8 : 16;
  const Unit unit = unitOf(pair.target.item_bytes | most_bytes);
  const std::ptrdiff_t units = pair.target.item_bytes / unit.bytes;
  return together(given, [&] {
    int status = 0;
    for (std::ptrdiff_t i = 0; i < units && status == 0; ++i)
      status = functions.strided[unit.index].alltoalls(
          group.team, pair.target.data + i * unit.bytes, pair.source.data + i * unit.bytes,
          tst * units, sst * units, size);
    return status;
  });
}

constexpr Function kFunctions[] = {
    function<broadcast_signature, broadcast>(), function<fcollect_signature, fcollect>(),
    function<collect_signature, collect>(),     function<alltoall_signature, alltoall>(),
    function<alltoalls_signature, alltoalls>(),
};

}  // namespace

std::span<const Function> collectivesOfModule() { return kFunctions; }

}  // namespace ucxx::python::shmem
