/** At which branch, tag or commit a page looks, and the way to another one. Its options are requested when it opens. */
import { GitBranch } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { $api } from "../../api/client.ts";
import { text } from "../../text/branches.ts";
import { closePopup, Popup } from "../../ui/popup.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { shortName } from "../commits/commit-id.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./ref-chooser.module.css";

export interface RefChooserProps {
  current: string;
  /** The page to look at another ref with. */
  addressOf: (ref: string) => string;
}

export function RefChooser({ current, addressOf }: RefChooserProps) {
  return (
    <Popup
      label={text.chooseRef}
      icon={<GitBranch aria-hidden />}
      panel={() => <Choices current={current} addressOf={addressOf} />}
    >
      <span className="visually-hidden">{text.chooseRef}: </span>
      <span className={styles.name}>{shortName(current)}</span>
    </Popup>
  );
}

const shownRefs = 100;

function Choices({ current, addressOf }: RefChooserProps) {
  const path = useRepositoryPath();
  const { default_branch } = useRepository();
  const [typed, setTyped] = useState("");
  const params = { path, query: { per_page: shownRefs } };
  const branches = $api.useQuery("get", "/repos/{owner}/{repo}/branches", { params });
  const tags = $api.useQuery("get", "/repos/{owner}/{repo}/tags", { params });
  if (!branches.data || !tags.data) return <Skeleton lines={3} />;
  const wanted = typed.trim();
  const fits = (name: string) => name.toLowerCase().includes(wanted.toLowerCase());
  const names = branches.data
    .map((branch) => branch.name)
    .sort((a, b) => Number(b === default_branch) - Number(a === default_branch));
  const tagNames = tags.data.map((tag) => tag.name);
  const isListed = names.includes(wanted) || tagNames.includes(wanted);
  const group = { current, addressOf };
  return (
    <div className={styles.panel}>
      <input
        autoFocus
        type="search"
        className={styles.filter}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        placeholder={text.filterRefs}
        aria-label={text.filterRefs}
      />
      <Group title={text.branches} names={names.filter(fits)} {...group} />
      <Group title={text.tags} names={tagNames.filter(fits)} {...group} />
      {wanted !== "" && !isListed ? <Group title={text.otherRef} names={[wanted]} {...group} /> : null}
    </div>
  );
}

function Group(props: RefChooserProps & { title: string; names: readonly string[] }) {
  if (props.names.length === 0) return null;
  return (
    <div className={styles.group}>
      <h2>{props.title}</h2>
      <ul className={styles.list}>
        {props.names.map((name) => (
          <li key={name}>
            <Link
              to={props.addressOf(name)}
              onClick={closePopup}
              aria-current={name === props.current ? "true" : undefined}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
