/** That a runner is older than the server, with the line that updates it. */
import { useQuery } from "@tanstack/react-query";
import { text } from "../../text/runners.ts";
import { CopyBlock } from "../../ui/copy-field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { readCaSum, updateCommand } from "./register-command.ts";

export function OutdatedNotice({ webUrl }: { webUrl: string }) {
  const authority = useQuery({ queryKey: ["authority"], queryFn: readCaSum, staleTime: Infinity });
  if (authority.isPending) return null;
  if (!authority.data)
    return (
      <Notice tone="info" title={text.outdatedTitle}>
        {text.outdatedElsewhere} <a href="/docs/operations/runners#updating">{text.howToUpdate}</a>
      </Notice>
    );
  return (
    <>
      <Notice tone="info" title={text.outdatedTitle}>
        {text.outdatedHint}
      </Notice>
      <CopyBlock label={text.updateCommand} value={updateCommand(new URL(webUrl).origin, authority.data)} />
    </>
  );
}
