/** What is being uploaded for a text, how far it has come, and what has failed. */
import { X } from "lucide-react";
import { text } from "../../text/markdown.ts";
import { IconButton } from "../../ui/button.tsx";
import styles from "./markdown-field.module.css";
import type { Uploads } from "./use-uploads.ts";

export function UploadList({ list, dismiss }: Pick<Uploads, "list" | "dismiss">) {
  if (list.length === 0) return null;
  return (
    <ul className={styles.uploads}>
      {list.map(({ key, name, percent, problem }) =>
        problem === undefined ? (
          <li key={key} role="status">
            {text.uploading(name)} <progress value={percent} max={100} aria-label={text.uploading(name)} />
          </li>
        ) : (
          <li key={key} role="alert">
            <span className={styles.failed}>{text.notUploaded(name, problem)}</span>
            <IconButton label={text.dismiss(name)} onClick={() => dismiss(key)}>
              <X size={14} aria-hidden />
            </IconButton>
          </li>
        ),
      )}
    </ul>
  );
}
