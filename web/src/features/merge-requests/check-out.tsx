/** How to have the branch on one's own computer. */
import { Terminal } from "lucide-react";
import { text } from "../../text/merge-requests.ts";
import { CopyBlock, CopyField } from "../../ui/copy-field.tsx";
import { Popup } from "../../ui/popup.tsx";
import styles from "./merge-request-frame.module.css";
import type { MergeRequest } from "./merge-request.ts";
import { quoted } from "./quoted.ts";

export function CheckOut({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const { number } = mergeRequest;
  const push = pushCommand(mergeRequest);
  const commands = [
    `git fetch origin refs/merge-requests/${number}/head:merge-request-${number}`,
    `git switch merge-request-${number}`,
  ];
  return (
    <Popup
      label={text.checkOutLabel}
      icon={<Terminal aria-hidden />}
      panel={() => (
        <div className={styles.panel}>
          <CopyField shown value={`forgeline mr checkout ${number}`} label={text.checkOutCli} />
          <div>
            <span>{text.checkOutGit}</span>
            <CopyBlock value={commands.join("\n")} label={text.checkOutGit} />
          </div>
          {push === undefined ? null : (
            <div>
              <span>{text.pushBack}</span>
              <CopyBlock value={push} label={text.pushBack} />
            </div>
          )}
        </div>
      )}
    >
      {text.checkOut}
    </Popup>
  );
}

/** Undefined: the author has not allowed it, or the reader may not merge. */
function pushCommand(mergeRequest: MergeRequest): string | undefined {
  const { number, source_repo: source, source_branch: branch, viewer_may: may } = mergeRequest;
  const { state, maintainer_can_modify: allowed } = mergeRequest;
  if (!allowed || state !== "open" || source === null || !may.merge) return undefined;
  const address = `${window.location.origin}/${source.full_name}.git`;
  return `git push ${address} ${quoted(`merge-request-${number}:${branch}`)}`;
}
