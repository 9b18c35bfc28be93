/** Which keys do what. */
import { useState } from "react";
import { useSession } from "../api/session.ts";
import { text } from "../text/general.ts";
import { keyText } from "../text/shortcuts.ts";
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
            <Keys keys={["c"]} label={keyText.createHere} />
            {repositoryShortcuts("").map((shortcut) => (
              <GoToKeys key={shortcut.key} shortcut={shortcut} />
            ))}
          </dl>
        </>
      ) : null}
      <KeysInChanges />
      <KeysInConflicts />
      {session ? <KeysInInbox /> : null}
      <h3>{keyText.inLog}</h3>
      <dl className={styles.keys}>
        <Keys keys={["Enter"]} label={keyText.nextFound} />
        <Keys keys={["Shift Enter"]} label={keyText.previousFound} />
        <Keys keys={["End"]} label={keyText.followLog} />
      </dl>
      <CheckField
        label={keyText.singleKeys}
        hint={keyText.singleKeysHint}
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
      <h3>{keyText.inChanges}</h3>
      <dl className={styles.keys}>
        <Keys keys={["j"]} label={keyText.nextFile} />
        <Keys keys={["k"]} label={keyText.previousFile} />
        <Keys keys={["n"]} label={keyText.nextThread} />
        <Keys keys={["p"]} label={keyText.previousThread} />
        <Keys keys={["c"]} label={keyText.commentHere} />
        <Keys keys={["v"]} label={keyText.viewedHere} />
        <Keys keys={["a"]} label={keyText.approveHere} />
      </dl>
    </>
  );
}

function KeysInConflicts() {
  return (
    <>
      <h3>{keyText.inConflicts}</h3>
      <dl className={styles.keys}>
        <Keys keys={["n"]} label={keyText.nextConflict} />
        <Keys keys={["p"]} label={keyText.previousConflict} />
        <Keys keys={["1"]} label={keyText.useSource} />
        <Keys keys={["2"]} label={keyText.useTarget} />
        <Keys keys={["3"]} label={keyText.useBoth} />
      </dl>
    </>
  );
}

function KeysInInbox() {
  return (
    <>
      <h3>{keyText.inInbox}</h3>
      <dl className={styles.keys}>
        <Keys keys={["j"]} label={keyText.nextEntry} />
        <Keys keys={["k"]} label={keyText.previousEntry} />
        <Keys keys={["e"]} label={keyText.entryDone} />
        <Keys keys={["s"]} label={keyText.saveEntry} />
        <Keys keys={["r"]} label={keyText.entryRead} />
        <Keys keys={["Shift I"]} label={keyText.readEntry} />
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
