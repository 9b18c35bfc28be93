/** The terminal of a shell in a job, above the page. */
import { useEffect, useRef, useState } from "react";
import type { ShellEnd } from "@forgeline/client/shell-messages.ts";
import { api } from "../../api/client.ts";
import { text } from "../../text/shells.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { openTerminal } from "./open-terminal.ts";
import styles from "./shell-dialog.module.css";

export interface ShellDialogProps {
  path: { owner: string; repo: string; id: string; job: string };
  job: string;
  onClose: () => void;
}

type State =
  | { is: "opening" | "open" }
  | { is: "ended"; end: ShellEnd | null }
  | { is: "refused"; error: unknown };

export function ShellDialog({ path, job, onClose }: ShellDialogProps) {
  const [count, setCount] = useState(1);
  return (
    <Dialog open insistent wide onClose={onClose} title={text.title(job)} lead={text.lead}>
      <OneShell key={count} path={path} job={job} onClose={onClose} onAgain={() => setCount(count + 1)} />
    </Dialog>
  );
}

function OneShell({ path, job, onClose, onAgain }: ShellDialogProps & { onAgain: () => void }) {
  const element = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<State>({ is: "opening" });
  const address = useRef(path);
  useEffect(() => {
    if (!element.current) return undefined;
    return openTerminal({
      element: element.current,
      label: text.terminal(job),
      async ask(size) {
        const { data } = await api.POST("/repos/{owner}/{repo}/pipelines/{id}/jobs/{job}/shells", {
          params: { path: address.current },
          body: size,
        });
        if (!data) throw new Error("no shell");
        return data;
      },
      onReady: () => setState({ is: "open" }),
      onEnd: (end) => setState({ is: "ended", end }),
      onProblem: (error) => setState({ is: "refused", error }),
    });
  }, [job]);
  const isOver = state.is === "ended" || state.is === "refused";
  return (
    <div className={styles.shell}>
      <div ref={element} className={styles.terminal} />
      <div role="status">
        {state.is === "opening" ? text.opening : null}
        {state.is === "ended" ? <Notice tone="info">{endText(state.end)}</Notice> : null}
      </div>
      {state.is === "refused" ? <ProblemNotice error={state.error} /> : null}
      <div className={styles.actions}>
        {isOver ? <Button onClick={onAgain}>{text.again}</Button> : null}
        <Button kind="quiet" onClick={onClose}>
          {text.close}
        </Button>
      </div>
    </div>
  );
}

function endText(end: ShellEnd | null): string {
  return end ? text.ended(end.message, end.exit_code) : text.lost;
}
