/** What can be chosen for an item: labels, milestones and people. Asked for when a list of them opens. */
import { useQuery } from "@tanstack/react-query";
import { $api, api } from "../../api/client.ts";
import { fetchAll } from "../../api/fetch-all.ts";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/work-items.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { LabelChip } from "../labels/label-chip.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./choices.module.css";
import type { Choice } from "./chooser.tsx";
import type { ItemLabel, ItemMilestone, Person } from "./work-item.ts";

export function useLabels(): ItemLabel[] | undefined {
  const path = useRepositoryPath();
  return useQuery({
    queryKey: ["all-labels", path],
    queryFn: () => fetchAll((query) => api.GET("/repos/{owner}/{repo}/labels", { params: { path, query } })),
  }).data;
}

/** Those that are open. */
export function useMilestones(): ItemMilestone[] | undefined {
  const path = useRepositoryPath();
  return useQuery({
    queryKey: ["all-milestones", path],
    queryFn: () =>
      fetchAll((query) => api.GET("/repos/{owner}/{repo}/milestones", { params: { path, query } })),
  }).data;
}

export type AssignedPerson = Pick<Person, "username"> & { avatar_url?: string };

/** Oneself, `others`, and collaborators for those who may list them. Further people are found by typing their names. */
export function usePeople(others: readonly AssignedPerson[]): AssignedPerson[] {
  const session = useSession();
  const { permissions } = useRepository();
  const path = useRepositoryPath();
  const collaborators = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/collaborators",
    { params: { path, query: { per_page: 100 } } },
    { enabled: permissions === "admin" },
  );
  const people = [
    ...(session ? [session.user] : []),
    ...others,
    ...(collaborators.data ?? []).map(({ user }) => user),
  ];
  return [...new Map(people.toReversed().map((person) => [person.username, person])).values()].toReversed();
}

export function labelChoice({ name, color, description }: ItemLabel): Choice {
  return {
    key: name,
    words: `${name} ${description}`,
    shown: (
      <>
        <LabelChip name={name} color={color} />
        {description === "" ? null : <span className={styles.about}>{description}</span>}
      </>
    ),
  };
}

export function milestoneChoice({ id, title, due_on: dueOn }: ItemMilestone): Choice {
  return {
    key: id,
    words: title,
    shown: (
      <>
        {title}
        {dueOn === null ? null : <span className={styles.about}>{dueOn}</span>}
      </>
    ),
  };
}

export function personChoice({ username, avatar_url: picture }: AssignedPerson): Choice {
  return {
    key: username,
    words: username,
    shown: (
      <>
        {picture === undefined ? null : <Avatar src={picture} />} {username}
      </>
    ),
  };
}

/** Only what a user name can be. */
export function typedPerson(typed: string): Choice | undefined {
  if (!/^[A-Za-z0-9][A-Za-z0-9._/-]{0,200}$/.test(typed)) return undefined;
  return { key: typed, words: typed, shown: text.useName(typed) };
}
