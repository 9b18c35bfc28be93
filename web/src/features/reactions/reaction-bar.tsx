/** The reactions to a text, below it: how many of each kind, who they are of, and a way to add one. */
import { useQuery } from "@tanstack/react-query";
import { SmilePlus } from "lucide-react";
import { useId, useState } from "react";
import { queryClient } from "../../api/query-client.ts";
import { text } from "../../text/reactions.ts";
import { IconButton } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { showProblem } from "../../ui/toasts.tsx";
import { useChange } from "../../ui/use-change.ts";
import type { ReactionName, Reactions } from "./reaction.ts";
import type { ReactionCalls } from "./reaction-calls.ts";
import styles from "./reaction-bar.module.css";
import { toggled } from "./toggled.ts";

const names = Object.keys(text.signs) as ReactionName[];

export interface ReactionBarProps {
  reactions: Reactions;
  mayReact: boolean;
  calls: ReactionCalls;
}

export function ReactionBar({ reactions, mayReact, calls }: ReactionBarProps) {
  const { shown, toggle } = useToggle(reactions, calls);
  const given = names.filter((name) => shown[name] > 0);
  if (given.length === 0 && !mayReact) return null;
  return (
    <div className={styles.bar}>
      {given.map((name) => (
        <Given key={name} {...{ name, shown, mayReact, calls }} onToggle={() => toggle(name)} />
      ))}
      {mayReact ? (
        <Menu
          label={text.react}
          trigger={
            <IconButton label={text.react}>
              <SmilePlus aria-hidden />
            </IconButton>
          }
          items={names.map((name) => ({
            kind: "action" as const,
            label: text.signs[name].words,
            icon: <span aria-hidden>{text.signs[name].sign}</span>,
            onSelect: () => toggle(name),
          }))}
        />
      ) : null}
    </div>
  );
}

const namedPeople = 10;

interface GivenProps {
  name: ReactionName;
  shown: Reactions;
  mayReact: boolean;
  calls: ReactionCalls;
  onToggle: () => void;
}

function Given({ name, shown, mayReact, calls, onToggle }: GivenProps) {
  const [isLookedAt, setLookedAt] = useState(false);
  const count = shown[name];
  const people = useQuery({
    queryKey: ["reactions", calls.id, name],
    queryFn: async () => (await calls.list({ name, per_page: namedPeople })).data ?? [],
    enabled: isLookedAt,
  });
  const who = people.data?.map(({ user }) => user.username) ?? [];
  const { sign, words } = text.signs[name];
  const look = () => setLookedAt(true);
  return (
    <button
      type="button"
      className={styles.given}
      aria-pressed={shown.viewer.includes(name)}
      aria-label={text.counted(words, count)}
      title={who.length === 0 ? words : text.who(who, count - who.length)}
      disabled={!mayReact}
      onPointerEnter={look}
      onFocus={look}
      onClick={onToggle}
    >
      <span aria-hidden>{sign}</span> {count}
    </button>
  );
}

/** Shown at once, until the page has it; what is toggled next counts on top of it. */
function useToggle(reactions: Reactions, calls: ReactionCalls) {
  const [changed, setChanged] = useState<Reactions>();
  const change = useChange(
    ({ name, isMine }: { name: ReactionName; isMine: boolean }) =>
      isMine ? calls.remove(name) : calls.add(name),
    { inOrder: useId() },
  );
  const shown = changed ?? reactions;
  const toggle = (name: ReactionName) => {
    setChanged(toggled(shown, name));
    // Both are called for the last one only.
    change.mutate(
      { name, isMine: shown.viewer.includes(name) },
      {
        onError: (error) => {
          showProblem(error);
          void queryClient.invalidateQueries();
        },
        onSettled: () => setChanged(undefined),
      },
    );
  };
  return { shown, toggle };
}
