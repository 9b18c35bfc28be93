/** Short messages that come and go: something worked, or could not be done. Above dialogs, and read out. */
import { X } from "lucide-react";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { problemOf } from "../api/problem.ts";
import { text } from "../text/general.ts";
import styles from "./toasts.module.css";

interface Message {
  id: number;
  words: string;
  isProblem: boolean;
}

const shownMs = 6_000;
const problemShownMs = 15_000;
let messages: readonly Message[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

export function showToast(words: string): void {
  add(words, false);
}

/** For actions without a form beside which a failure could stand. */
export function showProblem(error: unknown): void {
  add(problemOf(error).message, true);
}

function add(words: string, isProblem: boolean): void {
  const id = ++lastId;
  change([...messages, { id, words, isProblem }]);
  setTimeout(() => remove(id), isProblem ? problemShownMs : shownMs);
}

function remove(id: number): void {
  change(messages.filter((message) => message.id !== id));
}

function change(next: readonly Message[]): void {
  messages = next;
  for (const listener of listeners) listener();
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => messages,
  );
  const place = useRef<HTMLDivElement>(null);
  // Shown again with each message, so that it lies above a dialog that was opened meanwhile.
  useEffect(() => {
    place.current?.hidePopover();
    if (shown.length > 0) place.current?.showPopover();
  }, [shown]);
  return (
    <div ref={place} popover="manual" className={styles.place} role="status">
      {shown.map((message) => (
        <div key={message.id} className={`${styles.toast} ${message.isProblem ? styles.bad : ""}`}>
          <div className={styles.words}>{message.words}</div>
          <button type="button" aria-label={text.close} onClick={() => remove(message.id)}>
            <X size={16} aria-hidden />
          </button>
        </div>
      ))}
    </div>
  );
}
