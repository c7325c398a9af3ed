/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the UCXX founders */
#ifndef UCXX_UCP_MEMORY_H
#define UCXX_UCP_MEMORY_H

/* Memory that peers read and write, and the keys by which they do. A part of
 * `ucxx/ucp_condition.h`. */

#include <stddef.h>
#include <stdint.h>
#include <ucp/api/ucp.h>

#include <ucxx/export.h>

/* NOLINTBEGIN: UCX's names, and C */
#ifdef __cplusplus
extern "C" {
#endif

/** @name Memory of this process, with a context of the library (`ucxx::Context::getHandle`). */
/** @{ */
/** As `ucxx::createMemoryHandle`: UCP_MEM_MAP_ALLOCATE gives memory of the library, which is not
 * cleared, and which peers of this machine map (the fastest way by far); `ucp_mem_query` tells
 * where. The handle keeps the context. UCP_MEM_MAP_NONBLOCK and the protection are taken, and
 * change nothing: peers that have a key read and write.
 * UCS_ERR_INVALID_PARAM: the length is missing; an address that is null or missing without
 * UCP_MEM_MAP_ALLOCATE, of more than 0 bytes. UCS_ERR_UNSUPPORTED: memory that is not the host's,
 * UCP_MEM_MAP_FIXED, a field that is none of UCX 1.12's. */
UCXX_PUBLIC ucs_status_t ucxx_mem_map(ucp_context_h context, const ucp_mem_map_params_t* params,
                                      ucp_mem_h* memh);
/** Keys of it are void from now on (`ucxx::MemoryHandle`). UCS_ERR_INVALID_PARAM: it is none of
 * `ucp_mem_map`, or was unmapped; one of C++ ends with its object. */
UCXX_PUBLIC ucs_status_t ucxx_mem_unmap(ucp_context_h context, ucp_mem_h memh);
/** Address, length and memory type; fields of other masks are left as they are. */
UCXX_PUBLIC ucs_status_t ucxx_mem_query(ucp_mem_h memh, ucp_mem_attr_t* attributes);
/** Bytes for peers, which any message may carry; they have a checksum. To be given back by
 * `ucp_rkey_buffer_release`. */
UCXX_PUBLIC ucs_status_t ucxx_rkey_pack(ucp_context_h context, ucp_mem_h memh, void** buffer,
                                        size_t* size);
UCXX_PUBLIC void ucxx_rkey_buffer_release(void* buffer);
/** @} */

/** @name Memory of the peer of an endpoint */
/** @{ */
/** The key keeps the endpoint, until `ucp_rkey_destroy`. `buffer` has all that `ucp_rkey_pack` gave
 * at the peer, 48 bytes.
 * UCS_ERR_INVALID_PARAM: they are no key of this version. */
UCXX_PUBLIC ucs_status_t ucxx_ep_rkey_unpack(ucp_ep_h endpoint, const void* buffer,
                                             ucp_rkey_h* rkey);
/** Where `remote_addr` is mapped in this process (`ucxx::RemoteKey::getPointer`).
 * UCS_ERR_UNREACHABLE: it is not. */
UCXX_PUBLIC ucs_status_t ucxx_rkey_ptr(ucp_rkey_h rkey, uint64_t remote_addr, void** address);
/** Posts that were made with it go on. One of C++ ends with its object, and is refused here. */
UCXX_PUBLIC void ucxx_rkey_destroy(ucp_rkey_h rkey);
/** @} */

#ifdef __cplusplus
}
#endif
/* NOLINTEND */

#endif
