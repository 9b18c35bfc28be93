/** Addresses to clone from, and downloads of everything. */
import { Code } from "lucide-react";
import { text } from "../../text/repositories.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import { Popup } from "../../ui/popup.tsx";
import { archiveAddress } from "./addresses.ts";
import styles from "./clone-popup.module.css";
import { useRepository } from "./use-repository.ts";

export function ClonePopup({ gitRef }: { gitRef: string }) {
  const repository = useRepository();
  const { https, ssh } = repository.clone_urls;
  const panel = () => (
    <div className={styles.panel}>
      <h2>HTTPS</h2>
      <CopyField label={text.cloneHttps} value={https} />
      {ssh === null ? null : (
        <>
          <h2>SSH</h2>
          <CopyField label={text.cloneSsh} value={ssh} />
        </>
      )}
      <h2>{text.download}</h2>
      <p className={styles.downloads}>
        <a href={archiveAddress(repository, "zipball", gitRef)} download>
          .zip
        </a>
        <a href={archiveAddress(repository, "tarball", gitRef)} download>
          .tar.gz
        </a>
      </p>
    </div>
  );
  return (
    <Popup kind="primary" label={text.cloneLabel} icon={<Code aria-hidden />} panel={panel}>
      {text.clone}
    </Popup>
  );
}
