/** When a page throws: says so and offers a way on. A part of an old version that is gone from the server is fetched again once. */
import { useEffect } from "react";
import { useRouteError } from "react-router";
import { text } from "../text/general.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ProblemNotice } from "../ui/notice.tsx";

const reloadedKey = "forgeline-reloaded-at";
const reloadAgainMs = 60_000;

export function BrokenPage() {
  const error = useRouteError();
  const isOldVersion = error instanceof TypeError && /dynamically imported module/.test(error.message);
  useEffect(() => {
    if (!isOldVersion) return;
    const last = Number(sessionStorage.getItem(reloadedKey) ?? 0);
    if (Date.now() - last < reloadAgainMs) return;
    sessionStorage.setItem(reloadedKey, String(Date.now()));
    window.location.reload();
  }, [isOldVersion]);
  return (
    <EmptyState
      whole
      title={text.brokenTitle}
      action={<Button onClick={() => window.location.reload()}>{text.reload}</Button>}
    >
      <p>{text.broken}</p>
      <ProblemNotice error={error} />
    </EmptyState>
  );
}
