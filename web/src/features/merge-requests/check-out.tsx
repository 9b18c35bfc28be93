/** How to have the branch on one's own computer. */
import { Terminal } from "lucide-react";
import { text } from "../../text/merge-requests.ts";
import { CopyBlock, CopyField } from "../../ui/copy-field.tsx";
import { Popup } from "../../ui/popup.tsx";
import styles from "./merge-request-frame.module.css";
import type { MergeRequest } from "./merge-request.ts";

export function CheckOut({ mergeRequest: { number } }: { mergeRequest: MergeRequest }) {
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
        </div>
      )}
    >
      {text.checkOut}
    </Popup>
  );
}
