/** A picture before and after its change. */
import { text } from "../../text/diffs.ts";
import { formatBytes } from "../../ui/size.ts";
import { RepositoryImage } from "../contents/repository-image.tsx";
import styles from "./file-diff.module.css";
import { pathOf } from "./raw-path.ts";
import type { FileDiff } from "./source.ts";

export function ImageChange({ file }: { file: FileDiff }) {
  const { raw_url: after, previous_raw_url: before } = file;
  return (
    <div className={styles.images}>
      {before === null ? null : (
        <Picture {...{ file, url: before, size: file.previous_size, caption: text.imageBefore }} />
      )}
      {after === null ? null : (
        <Picture {...{ file, url: after, size: file.size, caption: text.imageAfter }} />
      )}
    </div>
  );
}

function Picture(props: { file: FileDiff; url: string; size: number | null; caption: string }) {
  const { file, url, size, caption } = props;
  return (
    <figure>
      <figcaption>
        {caption}
        {size === null ? "" : ` · ${formatBytes(size)}`}
      </figcaption>
      <RepositoryImage address={pathOf(url)} name={file.path} alt={`${file.path}: ${caption}`} />
    </figure>
  );
}
