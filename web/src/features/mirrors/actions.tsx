/** What can be done with a mirror. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { text } from "../../text/mirrors.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { useAction } from "../../ui/use-action.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";

type Mirror = Schemas["Mirror"];

export function MirrorActions({ mirror }: { mirror: Mirror }) {
  const path = useRepositoryPath();
  const sync = useAction(() => api.POST("/repos/{owner}/{repo}/mirror/sync", { params: { path } }), {
    said: text.syncRequested,
  });
  const { enabled } = mirror;
  const toggle = useAction(
    () =>
      api.PUT("/repos/{owner}/{repo}/mirror", {
        params: { path },
        body: { ...settingsOf(mirror), enabled: !enabled },
      }),
    { said: enabled ? text.paused : text.resumed },
  );
  return (
    <>
      <Button kind="primary" busy={sync.isPending} onClick={sync.start}>
        {text.syncNow}
      </Button>
      <Button busy={toggle.isPending} onClick={toggle.start}>
        {enabled ? text.pause : text.resume}
      </Button>
      <ConfirmButton
        label={text.remove}
        title={text.removeTitle}
        said={text.removed}
        run={() => api.DELETE("/repos/{owner}/{repo}/mirror", { params: { path } })}
      >
        <p>{text.removeHint}</p>
      </ConfirmButton>
    </>
  );
}

/** As they are; credentials stay without being given. */
function settingsOf({ url, refs, prune, lfs, cron, timezone, interval_minutes: minutes }: Mirror) {
  const times =
    cron === null
      ? { interval_minutes: minutes ?? 60 }
      : { cron, ...(timezone === null ? {} : { timezone }) };
  return { url, refs, prune, lfs, ...times };
}
