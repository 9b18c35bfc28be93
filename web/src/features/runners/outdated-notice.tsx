/** That a runner is older than the server, with the line that updates it. */
import { useQuery } from "@tanstack/react-query";
import { text } from "../../text/runners.ts";
import { CopyBlock } from "../../ui/copy-field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { readCaSum, updateCommand } from "./register-command.ts";

export function OutdatedNotice({ webUrl }: { webUrl: string }) {
  const authority = useQuery({ queryKey: ["authority"], queryFn: readCaSum, staleTime: Infinity });
  if (authority.isPending) return null;
  return (
    <Notice tone="info" title={text.outdatedTitle}>
      {authority.data ? (
        <>
          <p>{text.outdatedHint}</p>
          <CopyBlock
            label={text.updateCommand}
            value={updateCommand(new URL(webUrl).origin, authority.data)}
          />
        </>
      ) : (
        <p>
          {text.outdatedElsewhere} <a href="/docs/operations/runners#updating">{text.howToUpdate}</a>
        </p>
      )}
    </Notice>
  );
}
