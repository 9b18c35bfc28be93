/** Issues or merge requests that have to do with the one that is shown; nothing where there are none. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { useRepository } from "../repositories/use-repository.ts";
import styles from "./named-items.module.css";
import { SideField } from "./side-field.tsx";

interface NamedItemsProps {
  title: string;
  /** Before a number. */
  mark: "#" | "!";
  items: readonly Schemas["NamedItem"][];
}

export function NamedItems({ title, mark, items }: NamedItemsProps) {
  const { full_name: here } = useRepository();
  if (items.length === 0) return null;
  return (
    <SideField title={title} trigger={null}>
      <ul className={styles.items}>
        {items.map(({ repository, number, title: name, state, web_url: address }) => (
          <li key={`${repository} ${number}`}>
            <Link to={new URL(address).pathname} data-state={state}>
              {name}
            </Link>{" "}
            <span>
              {repository === here ? "" : repository}
              {mark}
              {number}
            </span>
          </li>
        ))}
      </ul>
    </SideField>
  );
}
