/** The day until which an item is to be done. */
import { text } from "../../text/work-items.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Popup } from "../../ui/popup.tsx";
import { useNow } from "../../ui/time.tsx";
import { isOverdue } from "../milestones/is-overdue.ts";
import styles from "./side-column.module.css";
import { SideField, useField } from "./side-field.tsx";
import type { SideChange } from "./side-values.ts";

export interface DueDateProps {
  /** Undefined: an item of this kind has none. */
  dueOn: string | null | undefined;
  mayTriage: boolean;
  /** What is done is not overdue. */
  isOpen: boolean;
  save: (change: SideChange) => Promise<unknown>;
}

export function DueDate({ dueOn, mayTriage, isOpen, save }: DueDateProps) {
  const { shown, choose, problem } = useField(dueOn, (day) => save({ due_on: day }));
  if (shown === undefined) return null;
  return (
    <SideField
      title={text.dueOn}
      problem={problem}
      trigger={
        mayTriage ? (
          <Popup kind="quiet" label={text.dueOn} panel={() => <DateForm value={shown} onChoose={choose} />}>
            {text.dueOn}
          </Popup>
        ) : null
      }
    >
      {shown === null ? text.noDueOn : <DueOn day={shown} isOpen={isOpen} />}
    </SideField>
  );
}

const dayFormat = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });

/** Overdue from the day after, as it is where the reader is. */
export function DueOn({ day, isOpen }: { day: string; isOpen: boolean }) {
  const now = useNow();
  return (
    <span>
      <time dateTime={day}>{dayFormat.format(new Date(day))}</time>{" "}
      {isOpen && isOverdue(day, now) ? <Badge tone="warn">{text.overdue}</Badge> : null}
    </span>
  );
}

function DateForm({ value, onChoose }: { value: string | null; onChoose: (day: string | null) => void }) {
  return (
    <form
      className={styles.date}
      onSubmit={(event) => {
        event.preventDefault();
        const day = new FormData(event.currentTarget).get("day");
        closeAround(event.currentTarget);
        onChoose(typeof day === "string" && day !== "" ? day : null);
      }}
    >
      <TextField type="date" name="day" label={text.dueOn} defaultValue={value ?? ""} required autoFocus />
      <div className={styles.values}>
        <Button type="submit" kind="primary">
          {text.setDueOn}
        </Button>
        {value === null ? null : (
          <Button
            onClick={(event) => {
              closeAround(event.currentTarget);
              onChoose(null);
            }}
          >
            {text.clearDueOn}
          </Button>
        )}
      </div>
    </form>
  );
}

function closeAround(element: HTMLElement): void {
  element.closest<HTMLElement>("[popover]")?.hidePopover();
}
