/** Coverage of runs, one after the other. In a file of its own, with the library that draws it. */
import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/coverage.ts";
import styles from "./coverage-plot.module.css";

type Run = Schemas["RunCoverage"];

const tick = { fill: "var(--ink-soft)", fontSize: 12 };

/** `runs`: the oldest first. */
export function CoveragePlot({ runs }: { runs: readonly Run[] }) {
  const data = runs.map(({ pipeline, percent }) => ({ number: pipeline.number, percent }));
  return (
    <ResponsiveContainer width="100%" height="100%">
      <AreaChart data={data} accessibilityLayer={false} margin={{ top: 8, right: 8, bottom: 0, left: 0 }}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="number"
          tickFormatter={(number: number) => `#${number}`}
          tick={tick}
          tickLine={false}
          stroke="var(--line-strong)"
          minTickGap={36}
        />
        <YAxis
          domain={[0, 100]}
          tickFormatter={(percent: number) => `${percent}%`}
          tick={tick}
          tickLine={false}
          axisLine={false}
          width={44}
        />
        <Tooltip
          isAnimationActive={false}
          content={({ active, payload }) => {
            const run = active ? runOf(payload) : undefined;
            return run ? <div className={styles.hint}>{text.inRun(run.number, run.percent)}</div> : null;
          }}
        />
        <Area
          dataKey="percent"
          type="linear"
          stroke="var(--accent)"
          fill="var(--accent)"
          fillOpacity={0.15}
          dot={data.length < 30}
          isAnimationActive={false}
        />
      </AreaChart>
    </ResponsiveContainer>
  );
}

/** Recharts hands on what it was given, untyped. */
function runOf(payload: readonly { payload?: unknown }[] | undefined) {
  return payload?.[0]?.payload as { number: number; percent: number } | undefined;
}
