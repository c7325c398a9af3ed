// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// C++: a symmetric mailbox as a class template over the overloads.
#include <array>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <string>

#include <shmem.h>

namespace {

/// Room for one letter from each PE; the sender waits until the letter before has been taken.
template <class T, std::size_t MostPes = 256>
class Mailbox {
 public:
  void send(const T& letter, int to) {
    const auto me = static_cast<std::size_t>(shmem_my_pe());
    const std::uint64_t number = ++sent_[static_cast<std::size_t>(to)];
    shmem_wait_until(&taken_[static_cast<std::size_t>(to)], SHMEM_CMP_EQ, number - 1);
    shmem_putmem_signal(&letters_[me], &letter, sizeof letter, &arrived_[me], number,
                        SHMEM_SIGNAL_SET, to);
  }
  T receive(int from) {
    const auto index = static_cast<std::size_t>(from);
    const std::uint64_t number = ++received_[index];
    shmem_signal_wait_until(&arrived_[index], SHMEM_CMP_GE, number);
    const T letter = letters_[index];
    shmem_atomic_set(&taken_[static_cast<std::size_t>(shmem_my_pe())], number, from);
    return letter;
  }

 private:
  std::array<T, MostPes> letters_{};
  std::array<std::uint64_t, MostPes> arrived_{}, taken_{}, sent_{}, received_{};
};

struct Letter {
  int from, number;
  std::complex<float> value;
  char text[20];
};

Mailbox<Letter> mailbox;

Letter letterOf(int from, int to, int number) {
  Letter letter{from, number, {static_cast<float>(from), static_cast<float>(to)}, ""};
  std::snprintf(letter.text, sizeof letter.text, "%d to %d", from, to);
  return letter;
}

bool isLetter(const Letter& letter, int from, int number) {
  const Letter expected = letterOf(from, shmem_my_pe(), number);
  return letter.from == from && letter.number == number && letter.value == expected.value &&
         std::string(letter.text) == expected.text;
}

}  // namespace

int main() {
  shmem_init();
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  for (int number = 0; number < 50; ++number) {
    for (int step = 0; step < pes; ++step)
      mailbox.send(letterOf(me, (me + step) % pes, number), (me + step) % pes);
    for (int step = 0; step < pes; ++step) {
      const int from = (me + pes - step) % pes;
      if (!isLetter(mailbox.receive(from), from, number)) {
        std::fprintf(stderr, "PE %d: a wrong letter from %d\n", me, from);
        shmem_global_exit(1);
      }
    }
  }
  shmem_finalize();
}
