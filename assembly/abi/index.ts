/**
 * The exports a host calls; a plugin's entry has `export * from "proxy-wasm-as/assembly/abi"`. The
 * transform keeps the lines of the callbacks a plugin handles, and exactly one of the two markers.
 */
export * from "./marker-0-2-1";
export * from "./marker-0-2-100";
export * from "./base";
export * from "./on-request-headers";
export * from "./on-request-body";
export * from "./on-request-trailers";
export * from "./on-response-headers";
export * from "./on-response-body";
export * from "./on-response-trailers";
export * from "./on-tick";
export * from "./on-log";
export * from "./on-queue-ready";
export * from "./on-http-call-response";
export * from "./on-grpc";
export * from "./on-tcp";
export * from "./on-foreign-function";
export * from "./on-redis-call-response";
