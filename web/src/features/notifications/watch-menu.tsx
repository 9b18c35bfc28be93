/** What the viewer is told of a repository, and the choice. */
import { Bell, BellOff } from "lucide-react";
import { $api, api } from "../../api/client.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/notifications.ts";
import { Button } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { showProblem } from "../../ui/toasts.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";

type Subscription = Schemas["RepositorySubscription"];
type Choice = keyof typeof text.levelChoices;

const address = "/repos/{owner}/{repo}/subscription";

export function WatchMenu() {
  const path = useRepositoryPath();
  const { data } = $api.useQuery("get", address, { params: { path } }, { staleTime: 30_000 });
  const change = useChange((choice: Choice) => api.PUT(address, { params: { path }, body: bodyOf(choice) }));
  const value = data && choiceOf(data);
  const label = data ? text.levels[data.level] : text.watch;
  return (
    <Menu
      label={`${text.watch}: ${label}`}
      trigger={
        <Button icon={data?.level === "muted" ? <BellOff aria-hidden /> : <Bell aria-hidden />}>
          {label}
        </Button>
      }
      items={[
        {
          kind: "choice",
          label: text.toldOf,
          choices: text.levelChoices,
          value: value ?? "",
          onChange: (next) => change.mutate(next as Choice, { onError: showProblem }),
        },
      ]}
    />
  );
}

function bodyOf(choice: Choice): Schemas["RepositorySubscriptionUpdate"] {
  if (choice === "issues" || choice === "merge_requests") return { level: "custom", events: [choice] };
  return { level: choice };
}

/** Both kinds are everything. */
function choiceOf({ level, events }: Subscription): Choice {
  if (level !== "custom") return level;
  return events.length > 1 ? "watching" : (events[0] ?? "participating");
}
