/** One thread of the compile pool: a file in, the compiled plan out. */
import { parentPort } from "node:worker_threads";
import { compile, type CompileInput } from "@forgeline/compiler/compile.ts";

parentPort?.on("message", (input: CompileInput) => parentPort?.postMessage(compile(input)));
