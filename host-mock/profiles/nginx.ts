import { envoy } from "./envoy.ts";
import type { Profile } from "./profile.ts";

/**
 * Nginx with ngx_wasm_module. A set must be given the version that is there, 0 for an absent key; each key counts from 1
 * anew whenever it is made. The zone's configuration says whether a full one drops its least recently used keys.
 *
 * Markers: 0.1.0, 0.2.0 and 0.2.1, as Envoy. All else was not looked at and is Envoy's.
 *
 * Source: Kong/ngx_wasm_module `src/common/shm/ngx_wa_shm_kv.c` (`ngx_wa_shm_kv_set_locked`, `lru_expire`),
 * `src/common/proxy_wasm/ngx_proxy_wasm.c` (`ngx_proxy_wasm_abi_version`).
 */
export const nginx: Profile = {
  ...envoy,
  name: "nginx",
  sharedData: {
    zeroOnPresent: "mismatch",
    otherOnAbsent: "mismatch",
    firstToken: 1,
    scope: "key",
    evicts: true,
  },
};
