// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Particles fly round a ring of PEs. Each PE takes what others send it, in the order of arrival.
// build: oshc++ -O2 -Wall -Wextra particles.cpp -o particles
// run: oshrun -n 3 ./particles 120 25
// prints: 360 particles after 25 steps, none lost: ok
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <shmem.h>

struct Particle {
  double place, speed;
  int number;
};

static const int kMostPes = 16, kRoom = 1024;
/// What each PE has sent here, and how many + 1 there are; 0: nothing has come.
static Particle inbox[kMostPes][kRoom];
static unsigned short arrived[kMostPes];
static long tally[3], all[3];

static int ownerOf(const Particle& p) { return static_cast<int>(p.place * shmem_n_pes()); }

static void send(const std::vector<Particle>& flock, int pe) {
  const int me = shmem_my_pe();
  shmem_putmem(inbox[me], flock.data(), flock.size() * sizeof(Particle), pe);
  shmem_fence();
  shmem_p(&arrived[me], static_cast<unsigned short>(flock.size() + 1), pe);
}

static void receive(std::vector<Particle>& mine) {
  const int pes = shmem_n_pes();
  std::vector<int> isTaken(static_cast<size_t>(pes), 0);
  std::vector<size_t> which(static_cast<size_t>(pes));
  for (int left = pes; left > 0;) {
    const size_t n = shmem_wait_until_some(arrived, static_cast<size_t>(pes), which.data(),
                                           isTaken.data(), SHMEM_CMP_NE, 0);
    for (size_t i = 0; i < n; ++i) {
      const size_t from = which[i];
      mine.insert(mine.end(), inbox[from], inbox[from] + arrived[from] - 1);
      isTaken[from] = 1;
    }
    left -= static_cast<int>(n);
  }
  for (int pe = 0; pe < pes; ++pe) arrived[pe] = 0;
}

static void step(std::vector<Particle>& mine) {
  std::vector<std::vector<Particle>> leaving(static_cast<size_t>(shmem_n_pes()));
  for (Particle& p : mine) {
    p.place += p.speed;
    p.place -= std::floor(p.place);
    leaving[static_cast<size_t>(ownerOf(p))].push_back(p);
  }
  mine.clear();
  for (size_t pe = 0; pe < leaving.size(); ++pe) send(leaving[pe], static_cast<int>(pe));
  receive(mine);
  shmem_barrier_all();
}

int main(int argc, char** argv) {
  shmem_init();
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  const int count = argc > 1 ? std::atoi(argv[1]) : 10, steps = argc > 2 ? std::atoi(argv[2]) : 10;
  std::vector<Particle> mine;
  for (int i = 0; i < count; ++i)
    mine.push_back({(me + (i + 0.5) / count) / pes, 0.001 * (i % 40) + 0.003 * me, me * count + i});
  for (int i = 0; i < steps; ++i) step(mine);

  const long n = static_cast<long>(count) * pes;
  for (const Particle& p : mine) {
    ++tally[0];
    tally[1] += p.number;
    tally[2] += ownerOf(p) != me;
  }
  shmem_sum_reduce(SHMEM_TEAM_WORLD, all, tally, 3);
  const bool isRight = all[0] == n && all[1] == n * (n - 1) / 2 && all[2] == 0;
  if (me == 0)
    std::printf("%ld particles after %d steps, none lost: %s\n", all[0], steps,
                isRight ? "ok" : "NO");
  shmem_finalize();
  return isRight ? 0 : 1;
}
