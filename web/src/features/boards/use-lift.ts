/** Moving an issue by the keyboard: it is taken up, carried by arrow keys, and put down or put back. */
import { useState, type KeyboardEvent } from "react";
import { text } from "../../text/boards.ts";
import { stepped, targetAt, type Direction, type Target } from "./target.ts";
import type { Issue } from "./use-board.ts";

export interface ShownColumn {
  id: string;
  name: string;
  issues: readonly Issue[];
}

export interface Lift {
  issue: Issue;
  from: string;
  /** Where it was. */
  index: number;
  to: Target;
}

const directions: Readonly<Record<string, Direction>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
};

export function useLift(
  columns: readonly ShownColumn[],
  move: (wanted: { issue: Issue; from: string; to: Target }, onEnd: () => void) => void,
) {
  const [lift, setLift] = useState<Lift | null>(null);
  // The card that was put down or put back last is drawn anew in its column, and has the focus until it stands there.
  const [landed, land] = useState<number | null>(null);
  const [said, setSaid] = useState("");
  const numbers = columns.map(({ id, issues }) => ({ id, numbers: issues.map(({ number }) => number) }));
  const nameOf = (id: string) => columns.find((each) => each.id === id)?.name ?? "";
  const placeOf = ({ column, index }: Target, number: number) => {
    const others = numbers.find(({ id }) => id === column)?.numbers.filter((each) => each !== number) ?? [];
    return text.place(index + 1, others.length + 1);
  };

  function start(issue: Issue, column: string): void {
    const shown = numbers.find(({ id }) => id === column)?.numbers ?? [];
    const index = shown.indexOf(issue.number);
    const to = targetAt(column, shown, { number: issue.number, index });
    setLift({ issue, from: column, index, to });
    land(null);
    setSaid(text.lifted(issue.number, nameOf(column), placeOf(to, issue.number)));
  }

  function carry(held: Lift, direction: Direction): void {
    const to = stepped(numbers, held.to, { number: held.issue.number, direction });
    setLift({ ...held, to });
    setSaid(text.carried(nameOf(to.column), placeOf(to, held.issue.number)));
  }

  function drop({ issue, from, index, to }: Lift): void {
    setLift(null);
    setSaid(text.dropped(issue.number, nameOf(to.column)));
    land(issue.number);
    if (to.column !== from || to.index !== index) move({ issue, from, to }, () => land(null));
    else requestAnimationFrame(() => land(null));
  }

  function cancel(): void {
    if (lift) {
      setSaid(text.cancelled(lift.issue.number));
      land(lift.issue.number);
      requestAnimationFrame(() => land(null));
    }
    setLift(null);
  }

  function press(event: KeyboardEvent<HTMLElement>, issue: Issue, column: string): void {
    if (event.target !== event.currentTarget) return;
    const direction = directions[event.key];
    const held = lift?.issue.number === issue.number ? lift : null;
    if (event.key === " ") (held ? () => drop(held) : () => start(issue, column))();
    else if (held && event.key === "Escape") cancel();
    else if (held && direction) carry(held, direction);
    else return;
    event.preventDefault();
  }

  return { lift, landed, said, press, cancel };
}
