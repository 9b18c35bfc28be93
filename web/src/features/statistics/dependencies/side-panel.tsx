/** Beside the graph: what was found, what was chosen, or what there is at a glance. */
import { dependencyScopes } from "@forgeline/client/generated/choices.ts";
import { Link } from "react-router";
import { text } from "../../../text/dependencies.ts";
import { Button } from "../../../ui/button.tsx";
import { Facts } from "../../../ui/facts.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { formatCount } from "../../../ui/size.ts";
import { fileAddress } from "../../repositories/addresses.ts";
import { useRepository } from "../../repositories/use-repository.ts";
import styles from "./dependencies.module.css";
import { KindMark } from "./kind-mark.tsx";
import type { Package } from "./packages.ts";
import type { Item } from "./tree.ts";

const maxListed = 30;

/** `inline`: within a sentence. */
export function FileLink({ path, inline = false }: { path: string; inline?: boolean }) {
  const repository = useRepository();
  const address = fileAddress(repository, "blob", { ref: repository.default_branch, path });
  return (
    <Link to={address} data-inline={inline || undefined}>
      {path}
    </Link>
  );
}

export function PackageDetails(props: {
  chosen: Package;
  /** null: not known as long as what it needs is not. */
  brought: number | null;
  onGoTo: (one: Package) => void;
  onClose: () => void;
}) {
  const { chosen, brought, onGoTo, onClose } = props;
  return (
    <section aria-label={text.detailsOf(chosen.name)} className={styles.details}>
      <h2>{chosen.name}</h2>
      <Facts
        facts={[
          { name: text.kind, value: <KindMark kind={chosen.kind} /> },
          { name: text.ecosystem, value: text.ecosystems[chosen.ecosystem] },
          ...(chosen.direct ? [{ name: text.askedFor, value: chosen.requirement ?? text.notTold }] : []),
          { name: text.chosen, value: chosen.versions.join(", ") || text.notTold },
          {
            name: chosen.direct ? text.askedIn : text.exceptionsIn,
            value: <FileLink path={chosen.manifest} />,
          },
          ...(chosen.locks.length > 0 && !chosen.locks.includes(chosen.manifest)
            ? [{ name: text.chosenIn, value: <Files paths={chosen.locks} /> }]
            : []),
          ...(brought === null ? [] : [{ name: text.brings, value: text.packageCount(brought) }]),
        ]}
      />
      <PackageList title={text.needs} packages={chosen.needs} onGoTo={onGoTo} />
      <PackageList title={text.neededBy} packages={chosen.neededBy} onGoTo={onGoTo} />
      <div>
        <Button onClick={onClose}>{text.close}</Button>
      </div>
    </section>
  );
}

function Files({ paths }: { paths: readonly string[] }) {
  return paths.map((path) => (
    <div key={path}>
      <FileLink path={path} />
    </div>
  ));
}

export function ManifestDetails({ item, onClose }: { item: Item; onClose: () => void }) {
  const { manifest, children } = item;
  if (!manifest) return null;
  return (
    <section aria-label={text.detailsOf(manifest.path)} className={styles.details}>
      <h2>{manifest.path}</h2>
      {manifest.problem === null ? null : <Notice tone="warn">{text.unreadable(manifest.problem)}</Notice>}
      <Facts
        facts={[
          { name: text.ecosystem, value: text.ecosystems[manifest.ecosystem] },
          { name: text.asksFor, value: text.packageCount(children.length) },
          { name: text.file, value: <FileLink path={manifest.path} /> },
        ]}
      />
      <div>
        <Button onClick={onClose}>{text.close}</Button>
      </div>
    </section>
  );
}

/** Each of them leads to its place in the graph. */
export function PackageList(props: {
  title?: string;
  packages: readonly Package[];
  onGoTo: (one: Package) => void;
}) {
  const { title, packages, onGoTo } = props;
  if (packages.length === 0) return null;
  return (
    <div className={styles.list}>
      {title ? <h3>{title}</h3> : null}
      <ul>
        {packages.slice(0, maxListed).map((one) => (
          <li key={one.id}>
            <button type="button" onClick={() => onGoTo(one)}>
              <span>{one.name}</span> <span className={styles.version}>{one.versions.join(", ")}</span>
            </button>
          </li>
        ))}
      </ul>
      {packages.length > maxListed ? <p>{text.andMore(packages.length - maxListed)}</p> : null}
    </div>
  );
}

/** Also the legend. */
export function Summary({ packages }: { packages: readonly Package[] }) {
  const direct = packages.filter((one) => one.direct);
  const manifests = new Set(direct.map(({ manifest }) => manifest)).size;
  return (
    <section aria-label={text.glance} className={styles.details}>
      <h2>{text.glance}</h2>
      <p>{text.glanceLead(direct.length, manifests, packages.length)}</p>
      <ul className={styles.legend}>
        {dependencyScopes.map((kind) => {
          const count = direct.filter((one) => one.kind === kind).length;
          return count === 0 ? null : (
            <li key={kind}>
              <KindMark kind={kind} /> <span className={styles.version}>{formatCount(count)}</span>
            </li>
          );
        })}
      </ul>
      <p className={styles.soft}>{text.sizeHint}</p>
    </section>
  );
}
