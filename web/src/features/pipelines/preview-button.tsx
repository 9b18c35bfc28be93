/** Asks what would run: for a run by hand, or for another event, with what that event would bring. */
import { useState } from "react";
import { eventsWithChanges, pipelineEvents } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/run-dialog.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./preview-button.module.css";

export type PreviewedEvent = Pick<Schemas["PipelinePlan"], "event" | "paths" | "before" | "actor">;

type EventName = (typeof pipelineEvents)[number];

const nothing = { before: "", paths: "", actor: "" };

/** `initial`: the event that stands there first. */
export function PreviewButton(props: {
  onLook: (event: PreviewedEvent) => void;
  busy: boolean;
  initial?: EventName;
}) {
  const { onLook, busy, initial = "manual" } = props;
  const [event, setEvent] = useState<EventName>(initial);
  const [more, setMore] = useState(nothing);
  const changes: readonly EventName[] = eventsWithChanges;
  const fields = (["before", "paths", "actor"] as const).filter(
    (name) => name === "actor" || changes.includes(event),
  );
  const look = () => onLook({ event, ...givenOf(more, fields) });
  return (
    <span className={styles.preview}>
      <select
        aria-label={text.previewEvent}
        value={event}
        onChange={({ target }) => setEvent(pipelineEvents.find((one) => one === target.value) ?? initial)}
      >
        {pipelineEvents.map((one) => (
          <option key={one} value={one}>
            {text.events[one]}
          </option>
        ))}
      </select>
      <Button onClick={look} busy={busy}>
        {text.preview}
      </Button>
      <details>
        <summary>{text.previewMore}</summary>
        {fields.map((name) => (
          <label key={name}>
            {text.previewFields[name]}
            <input
              value={more[name]}
              // The server takes one of the two.
              disabled={(name === "before" && more.paths !== "") || (name === "paths" && more.before !== "")}
              onChange={({ target }) => setMore({ ...more, [name]: target.value })}
              onKeyDown={(pressed) => {
                if (pressed.key !== "Enter") return;
                // The form around it would start a run.
                pressed.preventDefault();
                look();
              }}
            />
          </label>
        ))}
      </details>
    </span>
  );
}

/** What was typed into the fields that are there. */
function givenOf(
  more: typeof nothing,
  fields: readonly (keyof typeof nothing)[],
): Pick<Schemas["PipelinePlan"], "paths" | "before" | "actor"> {
  const typed = (name: keyof typeof nothing) => (fields.includes(name) ? more[name].trim() : "");
  const paths = typed("paths")
    .split(",")
    .map((path) => path.trim())
    .filter((path) => path !== "");
  return {
    ...(paths.length > 0 ? { paths } : {}),
    ...(typed("before") === "" ? {} : { before: typed("before") }),
    ...(typed("actor") === "" ? {} : { actor: typed("actor") }),
  };
}
