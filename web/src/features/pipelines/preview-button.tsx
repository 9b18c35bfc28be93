/** Asks what would run: for a run by hand, or for another event. */
import { useState } from "react";
import { pipelineEvents } from "@forgeline/client/generated/choices.ts";
import { text } from "../../text/run-dialog.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./preview-button.module.css";

export type PreviewedEvent = (typeof pipelineEvents)[number];

export function PreviewButton({ onLook, busy }: { onLook: (event: PreviewedEvent) => void; busy: boolean }) {
  const [event, setEvent] = useState<PreviewedEvent>("manual");
  return (
    <span className={styles.preview}>
      <select
        aria-label={text.previewEvent}
        value={event}
        onChange={({ target }) => setEvent(pipelineEvents.find((one) => one === target.value) ?? "manual")}
      >
        {pipelineEvents.map((one) => (
          <option key={one} value={one}>
            {text.events[one]}
          </option>
        ))}
      </select>
      <Button onClick={() => onLook(event)} busy={busy}>
        {text.preview}
      </Button>
    </span>
  );
}
