/** The status codes of gRPC that Envoy itself gives; Invalid stands for what gRPC does not have. */
export const GrpcStatus = {
  Ok: 0,
  Unknown: 2,
  Internal: 13,
  Unavailable: 14,
  Invalid: 0xffffffff,
} as const;

/** The highest that gRPC has. */
export const grpcStatusMax = 16;
