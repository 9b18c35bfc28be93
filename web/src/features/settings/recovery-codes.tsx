/** Recovery codes, shown once: the page goes on when somebody says that they are kept. */
import { twoFactor as words } from "../../text/settings.ts";
import { Button } from "../../ui/button.tsx";
import { CopyBlock } from "../../ui/copy-field.tsx";
import { Notice } from "../../ui/notice.tsx";
import styles from "./settings.module.css";

export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <>
      <h2>{words.codesTitle}</h2>
      <Notice tone="warn">{words.codes}</Notice>
      <div className={styles.codes}>
        <CopyBlock label={words.codesLabel} value={codes.join("\n")} />
      </div>
      <div>
        <Button kind="primary" onClick={onDone}>
          {words.stored}
        </Button>
      </div>
    </>
  );
}
