// The package replan-engine, which stands before the worker's own text: a global of its <script> form.
export const { car, load, target, ReplanError } = globalThis.replanEngine;
