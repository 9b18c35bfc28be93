/** Headers that different programs on the way may read differently are refused before anything is believed of them. */
import { AppError } from "../app-error.ts";

/** Of these Node keeps the first, other programs the last; all others it joins, which makes them plainly invalid. */
const once = ["authorization", "content-type", "host"];

/** What is beyond this number Node leaves out without a word. */
export const maxHeaders = 100;

/** `raw` as in `IncomingMessage.rawHeaders`. Throws `bad_request`. */
export function refuseAmbiguousHeaders(raw: readonly string[]): void {
  if (raw.length >= 2 * maxHeaders)
    throw new AppError("bad_request", { message: `A request must have fewer than ${maxHeaders} headers.` });
  let seen = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] ?? "";
    // Most headers are told apart by their length alone; this runs for every request.
    if (name.length !== 13 && name.length !== 12 && name.length !== 4) continue;
    const index = once.indexOf(name.toLowerCase());
    if (index < 0) continue;
    if (seen & (1 << index))
      throw new AppError("bad_request", { message: `The header ${name} must not be repeated.` });
    seen |= 1 << index;
  }
}
