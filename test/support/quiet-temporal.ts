/**
 * What workers in the tests' own process log, which is only errors, and that signals are not theirs. Whatever starts a worker
 * imports this first: a process has one runtime, which the first worker would make otherwise.
 */
import { DefaultLogger, Runtime } from "@temporalio/worker";

Runtime.install({ logger: new DefaultLogger("ERROR"), shutdownSignals: [] });
