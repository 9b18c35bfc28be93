/** Who holds the slot that a job waits for, with links; the sentence about it is the job's message. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/concurrency.ts";
import { SlotLine } from "./slot-line.tsx";

export function SlotHolders({ wait: { holders } }: { wait: Schemas["ConcurrencyWait"] }) {
  if (holders.length === 0) return null;
  return (
    <>
      <h3>{text.waitsFor}</h3>
      <ul>
        {holders.map((slot) => (
          <li key={slot.id}>
            <SlotLine slot={slot} />
          </li>
        ))}
      </ul>
    </>
  );
}
