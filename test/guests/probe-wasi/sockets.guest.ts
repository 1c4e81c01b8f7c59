/** Sockets, of which there are none. */
import * as wasi from "./preview1.guest";
import { begin, first, outside, room, second, vector } from "./report.guest";
import * as old from "./unstable.guest";

export function sockets(): void {
  const data = vector([room + 16, 8]);
  begin("sock_accept");
  first(wasi.sock_accept(3, 0, room));
  second(old.sock_accept(3, 0, room));
  begin("sock_recv");
  first(wasi.sock_recv(3, data, 1, 0, room, room + 8));
  second(old.sock_recv(3, data, 1, 0, room, room + 8));
  begin("sock_send");
  first(wasi.sock_send(3, data, 1, 0, room));
  second(old.sock_send(3, data, 1, 0, room));
  begin("sock_shutdown");
  first(wasi.sock_shutdown(3, 2));
  second(old.sock_shutdown(3, 2));
}

export function memoryOfSockets(): void {
  begin("sock_accept outside");
  first(wasi.sock_accept(3, 0, outside));
  second(old.sock_accept(3, 0, outside));
  begin("sock_recv outside");
  first(wasi.sock_recv(3, outside, 1, 0, outside, outside));
  second(old.sock_recv(3, outside, 1, 0, outside, outside));
  begin("sock_recv, the size outside");
  first(wasi.sock_recv(3, outside, 1, 0, outside, room));
  second(old.sock_recv(3, outside, 1, 0, outside, room));
  begin("sock_recv, the flags outside");
  first(wasi.sock_recv(3, outside, 1, 0, room, outside));
  second(old.sock_recv(3, outside, 1, 0, room, outside));
  begin("sock_send outside");
  first(wasi.sock_send(3, outside, 1, 0, outside));
  second(old.sock_send(3, outside, 1, 0, outside));
}
