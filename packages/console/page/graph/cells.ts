import type { GraphEdge, GraphNode } from './graph';

/** The place of a state in the grid, both counted from 0. */
export interface Cell {
  readonly column: number;
  readonly row: number;
}

/** What leads away from a state to so many others is a flow of its own, in the next column. */
const FLOW_MIN = 4;

/**
 * The positions of the states of one scope. The longest path to a result goes straight down the first column. The
 * largest flow that leads away from it goes down the next one. Ends stand beside the column that they belong to, or
 * beneath it if another flow stands there. The same states always have the same places.
 */
export function cellsOf(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): ReadonlyMap<string, Cell> {
  const grid = new Grid(nodes, edges);
  for (const { name, isStart } of nodes) if (isStart) grid.placeFlow(name, grid.columns, 0);
  // No transition leads to these.
  for (const { name } of nodes) grid.placeFlow(name, 0, 0);
  return grid.cells;
}

class Grid {
  readonly cells = new Map<string, Cell>();
  readonly #nodes: ReadonlyMap<string, GraphNode>;
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, string[]>();
  readonly #successors = new Map<string, string[]>();

  constructor(nodes: readonly GraphNode[], edges: readonly GraphEdge[]) {
    this.#nodes = new Map(nodes.map(node => [node.name, node]));
    const [next, all] = [edges.filter(({ isCatch }) => !isCatch), edges];
    for (const { name } of nodes) {
      this.#next.set(name, targetsIn(next, name));
      this.#successors.set(name, targetsIn(all, name));
    }
  }

  /** How many columns have states. */
  get columns(): number {
    return Math.max(0, ...[...this.cells.values()].map(({ column }) => column + 1));
  }

  /** Places a state, and all that follow it and have no place yet. */
  placeFlow(entry: string, column: number, row: number): void {
    if (this.cells.has(entry)) return;
    const spine = this.#place(this.#spineFrom(entry), column, row);
    const branch = this.#largestBranch(spine);
    if (branch !== undefined) this.placeFlow(branch.to, column + 1, this.#rowOf(branch.from));
    const isBeside = branch === undefined;
    // The way down from the lowest state is the shortest one: its ends come first, and no two lines cross.
    const placed = isBeside ? [...spine] : spine.toReversed();
    for (const name of placed) {
      for (const to of this.#inOrder(name)) {
        if (this.cells.has(to)) continue;
        const chain = this.#spineFrom(to);
        const isEnd = this.#isTerminal(to);
        if (isBeside && isEnd) this.#place(chain, column + 1, this.#lowestSource(to));
        else this.#place(chain, column, this.#rowOf(spine.at(-1) ?? name) + 1);
        placed.push(...chain);
      }
    }
  }

  /** The states that stand straight below each other. An end without a result stands at the side of a choice. */
  #spineFrom(entry: string): string[] {
    const spine = [entry];
    for (let name: string | undefined = entry; name !== undefined; ) {
      name = this.#following(name, spine);
      if (name !== undefined) spine.push(name);
    }
    return spine;
  }

  #following(name: string, spine: readonly string[]): string | undefined {
    const isChoice = this.#nodes.get(name)?.type === 'Choice';
    const free = (this.#next.get(name) ?? []).filter(to => !this.cells.has(to) && !spine.includes(to));
    const candidates = free.filter(to => !this.#isTerminal(to) || (!isChoice && this.#hasOneSource(to)));
    const depths = new Map<string, number>();
    return candidates.toSorted((one, other) => this.#depth(other, depths) - this.#depth(one, depths))[0];
  }

  /** How long the longest path from here is; those that lead to a result are longer than all others. */
  #depth(name: string, known: Map<string, number>): number {
    const depth = known.get(name);
    if (depth !== undefined) return depth;
    // A circle adds nothing.
    known.set(name, 0);
    const further = (this.#next.get(name) ?? []).filter(to => !this.cells.has(to));
    const end = this.#nodes.get(name)?.isEnd ? this.#nodes.size : 0;
    const found = Math.max(end, ...further.map(to => this.#depth(to, known))) + 1;
    known.set(name, found);
    return found;
  }

  #largestBranch(spine: readonly string[]): { readonly from: string; readonly to: string } | undefined {
    const branches = spine.flatMap(from => {
      const free = (this.#successors.get(from) ?? []).filter(to => !this.cells.has(to));
      return free.map(to => ({ from, to, size: this.#reachOf(to) }));
    });
    const [largest] = branches.toSorted((one, other) => other.size - one.size);
    return largest !== undefined && largest.size >= FLOW_MIN ? largest : undefined;
  }

  #reachOf(entry: string): number {
    const found = new Set([entry]);
    for (const name of found) {
      for (const to of this.#successors.get(name) ?? []) if (!this.cells.has(to)) found.add(to);
    }
    return found.size;
  }

  /** Ends with a result first, and those that several states lead to after the lowest of these. */
  #inOrder(name: string): readonly string[] {
    const weight = (to: string) => (this.#nodes.get(to)?.isEnd ? 0 : 1 + this.#lowestSource(to));
    return (this.#successors.get(name) ?? []).toSorted((one, other) => weight(one) - weight(other));
  }

  #lowestSource(name: string): number {
    const rows = [...this.#successors].flatMap(([from, targets]) =>
      targets.includes(name) && this.cells.has(from) ? [this.#rowOf(from)] : [],
    );
    return Math.max(0, ...rows);
  }

  #isTerminal(name: string): boolean {
    return (this.#next.get(name) ?? []).length === 0;
  }

  #hasOneSource(name: string): boolean {
    return (
      this.#nodes.get(name)?.isEnd === true ||
      [...this.#next.values()].filter(targets => targets.includes(name)).length === 1
    );
  }

  #rowOf(name: string): number {
    return this.cells.get(name)?.row ?? 0;
  }

  #place(chain: readonly string[], column: number, from: number): readonly string[] {
    let row = from;
    while (chain.some((_, index) => this.#taken.has(`${column} ${row + index}`))) row += 1;
    for (const [index, name] of chain.entries()) {
      this.#taken.add(`${column} ${row + index}`);
      this.cells.set(name, { column, row: row + index });
    }
    return chain;
  }
}

function targetsIn(edges: readonly GraphEdge[], name: string): string[] {
  return [...new Set(edges.filter(({ from }) => from === name).map(({ to }) => to))];
}
