// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The kernels of the facts, in PTX: no nvcc is needed to build them, the driver compiles them.

#pragma once

namespace gpu {

/// write_word(to, value)           after all that the stream has done before
/// wait_word(at, value)            until *at >= value, compared cyclically
/// ping_pong(to, from, rounds)     writes k to `to`, waits for k in `from`, k = 1 ... rounds
/// fill_words(to, value, count)    8-byte words; any number of threads
/// count_others(of, value, count, sum)   adds to *sum how many of the words are not the value
/// copy_words(to, from, count)     8-byte words
inline constexpr char kKernels[] = R"(
.version 6.0
.target sm_70
.address_size 64

.visible .entry write_word(.param .u64 to, .param .u64 value)
{
  .reg .u64 %a, %v;
  ld.param.u64 %a, [to];
  ld.param.u64 %v, [value];
  fence.acq_rel.sys;
  st.relaxed.sys.u64 [%a], %v;
  ret;
}

.visible .entry wait_word(.param .u64 at, .param .u64 value)
{
  .reg .u64 %a, %v, %w;
  .reg .s64 %d;
  .reg .pred %p;
  ld.param.u64 %a, [at];
  ld.param.u64 %v, [value];
again:
  ld.acquire.sys.u64 %w, [%a];
  sub.s64 %d, %w, %v;
  setp.lt.s64 %p, %d, 0;
  @%p bra again;
  ret;
}

.visible .entry ping_pong(.param .u64 to, .param .u64 from, .param .u64 rounds)
{
  .reg .u64 %a, %b, %n, %k, %w;
  .reg .pred %p;
  ld.param.u64 %a, [to];
  ld.param.u64 %b, [from];
  ld.param.u64 %n, [rounds];
  mov.u64 %k, 0;
round:
  add.u64 %k, %k, 1;
  fence.acq_rel.sys;
  st.relaxed.sys.u64 [%a], %k;
again:
  ld.acquire.sys.u64 %w, [%b];
  setp.lt.u64 %p, %w, %k;
  @%p bra again;
  setp.lt.u64 %p, %k, %n;
  @%p bra round;
  ret;
}

.visible .entry fill_words(.param .u64 to, .param .u64 value, .param .u64 count)
{
  .reg .u64 %a, %v, %n, %i, %step, %at;
  .reg .u32 %t, %b, %s, %g;
  .reg .pred %p;
  ld.param.u64 %a, [to];
  ld.param.u64 %v, [value];
  ld.param.u64 %n, [count];
  mov.u32 %t, %tid.x;
  mov.u32 %b, %ctaid.x;
  mov.u32 %s, %ntid.x;
  mov.u32 %g, %nctaid.x;
  mad.wide.u32 %i, %b, %s, 0;
  cvt.u64.u32 %at, %t;
  add.u64 %i, %i, %at;
  mul.wide.u32 %step, %s, %g;
loop:
  setp.ge.u64 %p, %i, %n;
  @%p bra done;
  shl.b64 %at, %i, 3;
  add.u64 %at, %at, %a;
  st.u64 [%at], %v;
  add.u64 %i, %i, %step;
  bra loop;
done:
  ret;
}

.visible .entry count_others(.param .u64 of, .param .u64 value, .param .u64 count, .param .u64 sum)
{
  .reg .u64 %a, %v, %n, %i, %step, %at, %w, %sum, %old;
  .reg .u32 %t, %b, %s, %g;
  .reg .pred %p;
  ld.param.u64 %a, [of];
  ld.param.u64 %v, [value];
  ld.param.u64 %n, [count];
  ld.param.u64 %sum, [sum];
  mov.u32 %t, %tid.x;
  mov.u32 %b, %ctaid.x;
  mov.u32 %s, %ntid.x;
  mov.u32 %g, %nctaid.x;
  mad.wide.u32 %i, %b, %s, 0;
  cvt.u64.u32 %at, %t;
  add.u64 %i, %i, %at;
  mul.wide.u32 %step, %s, %g;
loop:
  setp.ge.u64 %p, %i, %n;
  @%p bra done;
  shl.b64 %at, %i, 3;
  add.u64 %at, %at, %a;
  ld.u64 %w, [%at];
  setp.eq.u64 %p, %w, %v;
  @%p bra next;
  atom.global.add.u64 %old, [%sum], 1;
next:
  add.u64 %i, %i, %step;
  bra loop;
done:
  ret;
}

.visible .entry copy_words(.param .u64 to, .param .u64 from, .param .u64 count)
{
  .reg .u64 %a, %f, %n, %i, %step, %at, %w;
  .reg .u32 %t, %b, %s, %g;
  .reg .pred %p;
  ld.param.u64 %a, [to];
  ld.param.u64 %f, [from];
  ld.param.u64 %n, [count];
  mov.u32 %t, %tid.x;
  mov.u32 %b, %ctaid.x;
  mov.u32 %s, %ntid.x;
  mov.u32 %g, %nctaid.x;
  mad.wide.u32 %i, %b, %s, 0;
  cvt.u64.u32 %at, %t;
  add.u64 %i, %i, %at;
  mul.wide.u32 %step, %s, %g;
loop:
  setp.ge.u64 %p, %i, %n;
  @%p bra done;
  shl.b64 %at, %i, 3;
  add.u64 %at, %at, %f;
  ld.u64 %w, [%at];
  shl.b64 %at, %i, 3;
  add.u64 %at, %at, %a;
  st.u64 [%at], %w;
  add.u64 %i, %i, %step;
  bra loop;
done:
  ret;
}
)";

}  // namespace gpu
