import type { EventClassCode } from "../time/event-queue.ts";
import type { Booking } from "./loop.ts";

/** What is due on a thread that stood still, put off to the pause's end, in the order in which it was due. */
export class WaitingLine {
  readonly #bookings = new Set<Booking>();
  readonly #counts = [0, 0, 0, 0];

  /** Whether something of this class waits, so that its equals have to wait behind it. */
  has(eventClass: EventClassCode): boolean {
    return this.#counts[eventClass]! > 0;
  }

  add(booking: Booking): void {
    this.#bookings.add(booking);
    this.#counts[booking.class]!++;
  }

  /** The booking has come; false when it never waited. */
  take(booking: Booking): boolean {
    if (this.#bookings.size === 0 || !this.#bookings.delete(booking)) return false;
    this.#counts[booking.class]!--;
    return true;
  }

  takeAll(): Booking[] {
    const all = [...this.#bookings];
    this.#bookings.clear();
    this.#counts.fill(0);
    return all;
  }
}
