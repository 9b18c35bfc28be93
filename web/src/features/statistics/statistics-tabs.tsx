/** The pages of what a repository's history and files tell. */
import { text } from "../../text/statistics.ts";
import { TabLinks } from "../../ui/tabs.tsx";
import { useRepository } from "../repositories/use-repository.ts";

export function StatisticsTabs() {
  const { full_name: fullName } = useRepository();
  return (
    <TabLinks
      label={text.title}
      links={[
        { to: `/${fullName}/statistics`, label: text.history, exact: true },
        { to: `/${fullName}/statistics/dependencies`, label: text.dependencies },
      ]}
    />
  );
}
