/** Asks before what was typed is lost: by a link of ours here, by anything else in the browser's words. */
import { useEffect } from "react";
import { useBlocker } from "react-router";
import { text } from "../text/general.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";

/** State of the address that is gone to once all is saved. */
export const savedState = { saved: true };

export function LeaveGuard({ isDirty }: { isDirty: () => boolean }) {
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      isDirty() &&
      !(to.state as typeof savedState | null)?.saved &&
      from.pathname + from.search !== to.pathname + to.search,
  );
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (isDirty()) event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isDirty]);
  return (
    <ConfirmDialog
      open={blocker.state === "blocked"}
      onClose={() => blocker.reset?.()}
      title={text.leaveTitle}
      confirm={text.leave}
      state={{ isPending: false, error: null }}
      onConfirm={() => blocker.proceed?.()}
    >
      <p>{text.leaveHint}</p>
    </ConfirmDialog>
  );
}
