// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A wave on a string. At the end all PEs write their parts into one file, and PE 0 reads it.
// build: oshc++ -std=c++20 -O2 wave_file.cpp -o wave_file
// run: mkdir out
// run: oshrun -np 3 --wdir out $PWD/wave_file wave.raw 50 80
// run: test $(wc -c < out/wave.raw) = 1200
// prints: 150 points in wave.raw: ok
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <shmem.h>
#include <unistd.h>

namespace {

/// The values next to my part, from the left and the right, and the step that they are of.
double ghost[2][2];
std::uint64_t arrived[2];

using Line = std::vector<double>;

double start(int i, int n) { return std::sin(3.0 * M_PI * (i + 1) / (n + 1)); }

double moved(double before, double left, double now, double right) {
  return 2 * now - before + 0.25 * (left - 2 * now + right);
}

Line alone(int n, int steps) {
  Line before, now;
  for (int i = 0; i < n; ++i) now.push_back(start(i, n));
  before = now;
  for (int s = 0; s < steps; ++s) {
    Line after(now.size());
    for (std::size_t i = 0; i < now.size(); ++i)
      after[i] =
          moved(before[i], i > 0 ? now[i - 1] : 0.0, now[i], i + 1 < now.size() ? now[i + 1] : 0.0);
    before = now;
    now = after;
  }
  return now;
}

Line together(int perPe, int steps) {
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  Line before, now;
  for (int i = 0; i < perPe; ++i) now.push_back(start(me * perPe + i, perPe * pes));
  before = now;
  for (int s = 1; s <= steps; ++s) {
    const auto number = static_cast<std::uint64_t>(s);
    if (me > 0)
      shmem_put_signal(&ghost[s % 2][1], &now.front(), 1, &arrived[1], number, SHMEM_SIGNAL_SET,
                       me - 1);
    if (me + 1 < pes)
      shmem_put_signal(&ghost[s % 2][0], &now.back(), 1, &arrived[0], number, SHMEM_SIGNAL_SET,
                       me + 1);
    if (me > 0) shmem_signal_wait_until(&arrived[0], SHMEM_CMP_GE, number);
    if (me + 1 < pes) shmem_signal_wait_until(&arrived[1], SHMEM_CMP_GE, number);
    Line after(now.size());
    for (std::size_t i = 0; i < now.size(); ++i)
      after[i] = moved(before[i], i > 0 ? now[i - 1] : ghost[s % 2][0], now[i],
                       i + 1 < now.size() ? now[i + 1] : ghost[s % 2][1]);
    before = now;
    now = after;
  }
  return now;
}

bool write(const std::string& name, const Line& line) {
  const int file = open(name.c_str(), O_WRONLY | O_CREAT, 0600);
  const std::size_t bytes = line.size() * sizeof(double);
  const auto done = pwrite(file, line.data(), bytes,
                           static_cast<off_t>(bytes * static_cast<std::size_t>(shmem_my_pe())));
  return close(file) == 0 && done == static_cast<ssize_t>(bytes);
}

Line read(const std::string& name, std::size_t count) {
  Line line(count);
  std::ifstream(name, std::ios::binary)
      .read(reinterpret_cast<char*>(line.data()),
            static_cast<std::streamsize>(count * sizeof(double)));
  return line;
}

bool areClose(const Line& a, const Line& b) {
  const auto isClose = [](double x, double y) { return std::abs(x - y) < 1e-12; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), isClose);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string name = argv[1];
  const int perPe = std::stoi(argv[2]), steps = std::stoi(argv[3]);
  shmem_init();
  if (!write(name, together(perPe, steps))) shmem_global_exit(3);
  shmem_barrier_all();
  bool isRight = true;
  if (shmem_my_pe() == 0) {
    const int n = perPe * shmem_n_pes();
    isRight = areClose(read(name, static_cast<std::size_t>(n)), alone(n, steps));
    std::cout << n << " points in " << name << ": " << (isRight ? "ok" : "WRONG") << "\n";
  }
  shmem_finalize();
  return isRight ? 0 : 1;
}
