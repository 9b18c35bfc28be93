/** Which keys do what. */
import { useState } from "react";
import { useSession } from "../api/session.ts";
import { text } from "../text/general.ts";
import { CheckField } from "../ui/field.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { globalShortcuts, repositoryShortcuts, type GoToShortcut } from "./go-to-shortcuts.ts";
import styles from "./shortcuts-dialog.module.css";
import { chooseSingleKeys, hasSingleKeys } from "./single-keys.ts";
import { useRepositoryOfAddress } from "./use-repository-of-address.ts";

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const repository = useRepositoryOfAddress();
  const [isOn, setOn] = useState(hasSingleKeys());
  return (
    <Dialog open onClose={onClose} title={text.shortcuts}>
      <dl className={styles.keys}>
        {session ? <Keys keys={["Ctrl K", "/"]} label={text.commandPaletteHint} /> : null}
        <Keys keys={["?"]} label={text.shortcuts} />
        {(session ? globalShortcuts() : []).map((shortcut) => (
          <GoToKeys key={shortcut.key} shortcut={shortcut} />
        ))}
      </dl>
      {repository ? (
        <>
          <h3>{`${repository.owner}/${repository.repo}`}</h3>
          <dl className={styles.keys}>
            <Keys keys={["c"]} label={text.createHere} />
            {repositoryShortcuts("").map((shortcut) => (
              <GoToKeys key={shortcut.key} shortcut={shortcut} />
            ))}
          </dl>
        </>
      ) : null}
      <KeysInChanges />
      {session ? <KeysInInbox /> : null}
      <h3>{text.inLog}</h3>
      <dl className={styles.keys}>
        <Keys keys={["Enter"]} label={text.nextFound} />
        <Keys keys={["Shift Enter"]} label={text.previousFound} />
        <Keys keys={["End"]} label={text.followLog} />
      </dl>
      <CheckField
        label={text.singleKeys}
        hint={text.singleKeysHint}
        checked={isOn}
        onChange={({ target }) => {
          chooseSingleKeys(target.checked);
          setOn(target.checked);
        }}
      />
    </Dialog>
  );
}

function KeysInChanges() {
  return (
    <>
      <h3>{text.inChanges}</h3>
      <dl className={styles.keys}>
        <Keys keys={["j"]} label={text.nextFile} />
        <Keys keys={["k"]} label={text.previousFile} />
        <Keys keys={["n"]} label={text.nextThread} />
        <Keys keys={["p"]} label={text.previousThread} />
        <Keys keys={["c"]} label={text.commentHere} />
        <Keys keys={["v"]} label={text.viewedHere} />
        <Keys keys={["a"]} label={text.approveHere} />
      </dl>
    </>
  );
}

function KeysInInbox() {
  return (
    <>
      <h3>{text.inInbox}</h3>
      <dl className={styles.keys}>
        <Keys keys={["j"]} label={text.nextEntry} />
        <Keys keys={["k"]} label={text.previousEntry} />
        <Keys keys={["e"]} label={text.entryDone} />
        <Keys keys={["s"]} label={text.saveEntry} />
        <Keys keys={["r"]} label={text.entryRead} />
        <Keys keys={["Shift I"]} label={text.readEntry} />
      </dl>
    </>
  );
}

function GoToKeys({ shortcut }: { shortcut: GoToShortcut }) {
  return <Keys keys={[`g ${shortcut.key}`]} label={shortcut.label} />;
}

function Keys({ keys, label }: { keys: readonly string[]; label: string }) {
  return (
    <div>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{label}</dd>
    </div>
  );
}
