// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A halo exchange: heat spreads over a square, which four ranks have in parts of kSize x kSize
// cells, 2 x 2 of them; what leaves the square comes in at the other side. In each step every rank
// sends its edges to its neighbours, by prepared transfers: a kernel makes each part of an edge
// ready as soon as it has written it, and while they are on their way another kernel computes what
// needs no neighbour. Each rank has a stream, and all steps are in it before the program waits.

#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include <ucxx/cuda/device.h>
#include <ucxx/cuda/stream.h>

#include "peers.h"

namespace {

constexpr unsigned kSize = 32, kSteps = 16, kBlocks = 4, kThreads = 16;
constexpr unsigned kCells = kSize * kSize, kPartitions = kBlocks;
constexpr unsigned kRanks = 4, kSides = 4;  // up, down, left, right: the other side is `side ^ 1`
constexpr std::size_t kEdgeBytes = kSize * sizeof(double);

/// What kernels know of a rank.
struct Field {
  double* now;   // memory of the device
  double* next;  // likewise
  double* out[kSides];
  double* in[kSides];
};
struct Handles {
  ucxx::device::Prepared* sends[kSides];
};

/// The cell that is number `i` of an edge.
__device__ unsigned cellOfEdge(unsigned side, unsigned i) {
  switch (side) {
    case 0:
      return i;
    case 1:
      return (kSize - 1) * kSize + i;
    case 2:
      return i * kSize;
    default:
      return i * kSize + kSize - 1;
  }
}

/// One block for each partition. With no step, here and below, nothing is done: a first launch.
__global__ void packEdges(Field field, Handles handles, unsigned step) {
  if (step == 0) return;
  const unsigned each = kSize / kPartitions, first = each * blockIdx.x;
  for (unsigned i = first + threadIdx.x; i < first + each; i += blockDim.x)
    for (unsigned side = 0; side < kSides; ++side)
      field.out[side][i] = field.now[cellOfEdge(side, i)];
  __syncthreads();  // all of the block have written
  if (threadIdx.x != 0) return;
  for (unsigned side = 0; side < kSides; ++side)
    ucxx::device::ready(handles.sends[side], blockIdx.x);  // this part of the edge leaves
}

__device__ bool isAtEdge(unsigned cell) {
  const unsigned row = cell / kSize, column = cell % kSize;
  return row == 0 || row == kSize - 1 || column == 0 || column == kSize - 1;
}

__device__ double average(double up, double down, double left, double right) {
  return 0.25 * (up + down + left + right);
}

__global__ void computeInside(Field field, unsigned step) {
  if (step == 0) return;
  for (unsigned cell = blockIdx.x * blockDim.x + threadIdx.x; cell < kCells;
       cell += gridDim.x * blockDim.x) {
    if (isAtEdge(cell)) continue;
    const double* const here = field.now + cell;
    field.next[cell] = average(here[-static_cast<int>(kSize)], here[kSize], here[-1], here[1]);
  }
}

/// With what has come from the neighbours.
__global__ void computeEdges(Field field, unsigned step) {
  if (step == 0) return;
  for (unsigned cell = blockIdx.x * blockDim.x + threadIdx.x; cell < kCells;
       cell += gridDim.x * blockDim.x) {
    if (!isAtEdge(cell)) continue;
    const unsigned row = cell / kSize, column = cell % kSize;
    const double* const now = field.now;
    field.next[cell] = average(row == 0 ? field.in[0][column] : now[cell - kSize],
                               row == kSize - 1 ? field.in[1][column] : now[cell + kSize],
                               column == 0 ? field.in[2][row] : now[cell - 1],
                               column == kSize - 1 ? field.in[3][row] : now[cell + 1]);
  }
}

double atFirst(unsigned row, unsigned column) { return (7 * row + 13 * column) % 100; }

class Rank {
 public:
  Rank(unsigned number, const Peer& peer) : number_(number), stream_(makeStream()) {
    check(cudaMalloc(&field_.now, kCells * sizeof(double)), "cudaMalloc");
    check(cudaMalloc(&field_.next, kCells * sizeof(double)), "cudaMalloc");
    std::vector<double> cells(kCells);
    for (unsigned i = 0; i < kCells; ++i) cells[i] = atFirst(row(i), column(i));
    check(cudaMemcpy(field_.now, cells.data(), kCells * sizeof(double), cudaMemcpyHostToDevice),
          "cudaMemcpy");
    for (unsigned side = 0; side < kSides; ++side) prepare(side, *peer.to[neighbour(side)]);
  }
  /// The first launch of a kernel waits for every stream that waits. So each has run once before.
  void warmUp() const {
    launch(packEdges, 1, 1, stream_, field_, handles_, 0);
    launch(computeInside, 1, 1, stream_, field_, 0);
    launch(computeEdges, 1, 1, stream_, field_, 0);
    synchronize();
  }
  void enqueue(unsigned step) {
    ucxx::startAll(ucxx::Condition::stream(stream_), plans_);  // by one write of the stream
    launch(packEdges, kPartitions, kThreads, stream_, field_, handles_, step);
    launch(computeInside, kBlocks, kThreads, stream_, field_, step);
    ucxx::waitAllOn(stream_, receives_);
    launch(computeEdges, kBlocks, kThreads, stream_, field_, step);
    ucxx::waitAllOn(stream_, sends_);  // the next step may write to the edges
    std::swap(field_.now, field_.next);
  }
  void synchronize() const { check(cudaStreamSynchronize(stream_), "a rank's stream"); }
  /// How many cells are not as in the whole square, when no stream is at work. A transfer that has
  /// failed throws.
  unsigned wrongCells(const std::vector<double>& square) const {
    for (const auto& plan : plans_) plan->checkError();
    std::vector<double> cells(kCells);
    check(cudaMemcpy(cells.data(), field_.now, kCells * sizeof(double), cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    unsigned wrong = 0;
    for (unsigned i = 0; i < kCells; ++i)
      wrong += cells[i] != square[row(i) * 2 * kSize + column(i)];
    return wrong;
  }
  /// Buffers are free when the plans have closed.
  void end() {
    for (const auto& plan : plans_) plan->close()->wait();
    for (unsigned side = 0; side < kSides; ++side) {
      check(cudaFreeHost(field_.out[side]), "cudaFreeHost");
      check(cudaFreeHost(field_.in[side]), "cudaFreeHost");
    }
    check(cudaFree(field_.now), "cudaFree");
    check(cudaFree(field_.next), "cudaFree");
    check(cudaStreamDestroy(stream_), "cudaStreamDestroy");
  }

 private:
  using Plans = std::vector<std::shared_ptr<ucxx::Prepared>>;

  /// Of the two ranks beside each other, and of the two above each other.
  unsigned neighbour(unsigned side) const { return number_ ^ (side < 2 ? 2 : 1); }
  /// In the square.
  unsigned row(unsigned cell) const { return number_ / 2 * kSize + cell / kSize; }
  unsigned column(unsigned cell) const { return number_ % 2 * kSize + cell % kSize; }

  /// What goes up comes in from below.
  void prepare(unsigned side, ucxx::Endpoint& neighbour) {
    field_.out[side] = makePinned<double>(kSize);
    field_.in[side] = makePinned<double>(kSize);
    const ucxx::PrepareOptions options{kPartitions, 1};  // one block makes a partition ready
    const auto send = neighbour.prepareSend(field_.out[side], kEdgeBytes, ucxx::Tag{side}, options);
    sends_.push_back(send);
    receives_.push_back(
        neighbour.prepareRecv(field_.in[side], kEdgeBytes, ucxx::Tag{side ^ 1}, {kPartitions, 1}));
    plans_.insert(plans_.end(), {receives_.back(), send});
    handles_.sends[side] = send->deviceHandle();
  }
  const unsigned number_;
  const cudaStream_t stream_;
  Field field_{};
  Handles handles_{};
  Plans sends_, receives_;
  Plans plans_;  // both
};

/// The whole square after all steps, by the processor.
std::vector<double> computeSquare() {
  constexpr unsigned kSide = 2 * kSize;
  std::vector<double> now(kSide * kSide), next(kSide * kSide);
  for (unsigned i = 0; i < now.size(); ++i) now[i] = atFirst(i / kSide, i % kSide);
  for (unsigned step = 0; step < kSteps; ++step) {
    for (unsigned i = 0; i < now.size(); ++i) {
      const unsigned row = i / kSide, column = i % kSide;
      next[i] = 0.25 * (now[(row + kSide - 1) % kSide * kSide + column] +
                        now[(row + 1) % kSide * kSide + column] +
                        now[row * kSide + (column + kSide - 1) % kSide] +
                        now[row * kSide + (column + 1) % kSide]);
    }
    now.swap(next);
  }
  return now;
}

}  // namespace

int main() {
  check(cudaSetDevice(0), "cudaSetDevice");
  auto peers = makePeers(kRanks);
  std::vector<Rank> ranks;
  ranks.reserve(kRanks);
  for (unsigned number = 0; number < kRanks; ++number) ranks.emplace_back(number, peers[number]);
  for (const Rank& rank : ranks) rank.warmUp();

  for (unsigned step = 1; step <= kSteps; ++step)
    for (Rank& rank : ranks) rank.enqueue(step);
  std::printf("%u ranks, %u steps are in their streams; now the program waits\n", kRanks, kSteps);
  for (const Rank& rank : ranks) rank.synchronize();

  unsigned wrong = 0;
  const std::vector<double> square = computeSquare();
  for (const Rank& rank : ranks) wrong += rank.wrongCells(square);
  std::printf("%u cells of %u are not what the processor has computed\n", wrong, kRanks * kCells);
  for (Rank& rank : ranks) rank.end();
  return wrong == 0 ? 0 : 1;
}
