/**
 * `j` and `k` go to the next and the previous entry; `e`, `s`, `r` and `I` change the selected ones, or else the one that has the
 * focus. Enter opens it, as every link.
 */
import { useEffect, useRef } from "react";
import { usePageKeys } from "../../ui/page-keys.ts";
import type { Notification } from "./use-notifications.ts";

export interface InboxActions {
  done: (chosen: readonly Notification[]) => void;
  save: (chosen: readonly Notification[]) => void;
  toggleRead: (chosen: readonly Notification[]) => void;
  read: (chosen: readonly Notification[]) => void;
}

const marker = "data-notification";

/** For the rows: what is on the link that gets the focus. */
export const rowMark = (id: string) => ({ [marker]: id });

export function useInboxKeys(
  notifications: readonly Notification[],
  selected: readonly Notification[],
  actions: InboxActions,
) {
  const ref = useRef<HTMLDivElement>(null);
  /** Where the focus was; when its entry leaves the list, it goes to what is there now. */
  const place = useRef<number | null>(null);
  const links = () => [...(ref.current?.querySelectorAll<HTMLElement>(`[${marker}]`) ?? [])];
  const focused = () =>
    links().findIndex((link) => link.closest("li")?.contains(document.activeElement) ?? false);
  const go = (step: 1 | -1) => {
    const all = links();
    all[Math.min(Math.max(focused() + step, 0), all.length - 1)]?.focus();
  };
  const act = (action: (chosen: readonly Notification[]) => void) => () => {
    const index = focused();
    const id = links()[index]?.getAttribute(marker);
    const chosen = selected.length > 0 ? selected : notifications.filter((each) => each.id === id);
    place.current = index >= 0 ? index : null;
    if (chosen.length > 0) action(chosen);
  };
  useEffect(() => {
    const at = place.current;
    if (at === null || document.activeElement !== document.body) return;
    const all = links();
    all[Math.min(at, all.length - 1)]?.focus();
  }, [notifications]);
  usePageKeys({
    j: () => go(1),
    k: () => go(-1),
    e: act(actions.done),
    s: act(actions.save),
    r: act(actions.toggleRead),
    I: act(actions.read),
  });
  return ref;
}
