/** What can be done with the stream of an audit log. */
import { useState } from "react";
import { text } from "../../text/audit-streams.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatCount } from "../../ui/size.ts";
import { useAction } from "../../ui/use-action.ts";
import type { Stream, StreamSource } from "./audit-stream.tsx";

export function StreamActions({ stream, source }: { stream: Stream; source: StreamSource }) {
  const { enabled, status, previous_token_until: oldToken } = stream;
  const toggle = useAction(() => source.set({ enabled: !enabled }), {
    said: enabled ? text.paused : text.resumed,
  });
  const tryNow = useAction(() => source.set({ enabled: true }), { said: text.tried });
  const endOld = useAction(() => source.set({ previous_token_hours: 0 }), { said: text.oldTokenEnded });
  return (
    <>
      <TestButton source={source} />
      {status === "failing" ? (
        <Button busy={tryNow.isPending} onClick={tryNow.start}>
          {text.tryNow}
        </Button>
      ) : null}
      {oldToken === null ? null : (
        <Button busy={endOld.isPending} onClick={endOld.start}>
          {text.endOldToken}
        </Button>
      )}
      <Button busy={toggle.isPending} onClick={toggle.start}>
        {enabled ? text.pause : text.resume}
      </Button>
      <ConfirmButton
        label={text.remove}
        title={text.removeTitle}
        said={text.removed}
        run={() => source.remove()}
      >
        <p>{text.removeHint}</p>
      </ConfirmButton>
    </>
  );
}

function TestButton({ source }: { source: StreamSource }) {
  const [open, setOpen] = useState(false);
  const test = useAction(async () => (await source.test()).data, { onDone: () => setOpen(true) });
  const tried = test.data;
  return (
    <>
      <Button kind="primary" busy={test.isPending} onClick={test.start}>
        {text.test}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={text.test}>
        {tried?.accepted ? (
          <Notice tone="good">{text.testAccepted(formatCount(tried.duration_ms))}</Notice>
        ) : (
          <Notice tone="bad" title={text.testRefused}>
            {tried?.error}
          </Notice>
        )}
      </Dialog>
    </>
  );
}
