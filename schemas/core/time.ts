/** Times on the wire: ISO 8601, UTC, milliseconds and `Z`. */
import { z } from "zod";

export const timestamp = z.iso.datetime({ precision: 3 });
