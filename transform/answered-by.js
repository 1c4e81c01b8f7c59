// abi/ file → what authors write to have its callback called. A test compares the list with
// assembly/.

/**
 * A file with no names stays for those alone who fill its slot themselves, through `abi/dispatch`.
 *
 * @type {ReadonlyMap<string, readonly string[]>}
 */
export const answeredBy = new Map([
  ["on-request-headers", ["ProcessRequestHeaders"]],
  ["on-response-headers", ["ProcessResponseHeaders"]],
  ["on-request-body", []],
  ["on-response-body", []],
  ["on-request-trailers", []],
  ["on-response-trailers", []],
  ["on-tick", ["RegisterTickFunc", "WithLeaderElection"]],
  ["on-log", ["ProcessStreamDone"]],
  ["on-queue-ready", []],
  ["on-http-call-response", ["HttpClient"]],
  ["on-grpc", []],
  ["on-tcp", []],
  ["on-foreign-function", []],
  ["on-redis-call-response", []],
]);
