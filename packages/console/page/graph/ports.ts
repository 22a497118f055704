import type { Block, Run, Side } from './runs';

interface Port {
  readonly key: string;
  readonly height: number;
  /** The row of the other end, or of the one that is nearest. */
  readonly row: number;
  readonly isEntry: boolean;
}

const PLAIN = 14;
const APART = 6;
const SIDES = ['left', 'right'] as const;

/**
 * Where lines enter and leave the sides of blocks. Each label has a place of its own beside its block:
 *
 *              ┌─────────┐
 *   entry ────▸│         │
 *              │  block  ├──── label of the first exit
 *   entry ────▸│         ├──── label of the second exit
 *              └─────────┘
 *
 * Entries come above exits, each in the order of the rows at their other ends.
 */
export class Ports {
  readonly #sides = new Map<string, Port[]>();
  readonly #blocks: readonly Block[];
  readonly #runs: readonly Run[];

  constructor(blocks: readonly Block[], runs: readonly Run[]) {
    this.#blocks = blocks;
    this.#runs = runs.filter(({ isStraight }) => !isStraight);
    for (const { link, source, target, out, in: entry } of this.#runs) {
      const height = link.label.height + 4;
      this.#add(source, out.side, { key: out.port, height, row: target.row, isEntry: false });
      this.#add(target, entry.side, { key: entry.port, height, row: source.row, isEntry: true });
    }
    // In the order of the rows, so that lines that leave one side do not cross.
    for (const ports of this.#sides.values()) {
      ports.sort((one, other) => Number(other.isEntry) - Number(one.isEntry) || one.row - other.row);
    }
  }

  /** How high a block is, with room for all that enters and leaves it. */
  heightOf(block: Block): number {
    const needed = SIDES.map(side => {
      const offsets = this.#portsOf(block, side).map(({ key }) => this.#stacked(block, side, key));
      return Math.max(...offsets, 0) - Math.min(...offsets, 0) + (offsets.length < 2 ? 0 : 2 * APART);
    });
    return Math.max(block.height, ...needed);
  }

  /** How far a block reaches above its middle, and below it, with its labels. */
  reachOf(block: Block): { readonly up: number; readonly down: number } {
    const half = this.heightOf(block) / 2;
    const labels = SIDES.flatMap(side =>
      this.#portsOf(block, side).map(({ key, height }) => ({ y: this.#stacked(block, side, key), height })),
    );
    return {
      up: Math.max(half, ...labels.map(({ y, height }) => height / 2 - y)),
      down: Math.max(half, ...labels.map(({ y, height }) => height / 2 + y)),
    };
  }

  /** The height of a port, where the middles of all blocks are known. */
  heightAt(
    block: Block,
    { side, port }: { readonly side: Side; readonly port: string },
    middles: ReadonlyMap<string, number>,
  ): number {
    const middleOf = ({ name }: Block) => middles.get(name) ?? 0;
    if (side === 'left') return middleOf(block) + this.#stacked(block, side, port);
    // A link on the same level beside it must not seem to be one line with this one.
    const beside = this.#blocks.filter(other => other.column === block.column + 1);
    const portsBeside = beside.flatMap(other =>
      this.#portsOf(other, 'left').map(({ key }) => {
        return { block: other, key, y: middleOf(other) + this.#stacked(other, 'left', key) };
      }),
    );
    const most = this.heightOf(block) / 2 - 3;
    const isOn = (y: number) => Math.abs(y - middleOf(block)) <= most;
    const found = new Map<string, number>();
    for (const { key, isEntry } of this.#portsOf(block, 'right')) {
      const taken = [...found.values(), ...portsBeside.map(({ y }) => y)];
      const isApart = (y: number) => taken.every(other => Math.abs(other - y) >= APART);
      const own = middleOf(block) + this.#stacked(block, 'right', key);
      const runs = isEntry ? [] : this.#runs.filter(run => run.source === block && run.out.port === key);
      const level = portsBeside.find(
        other => isOn(other.y) && runs.some(run => run.target === other.block && run.in.port === other.key),
      );
      const tried = [0, -1, 1, -2, 2, -3, 3].map(step => own + step * (APART + 1));
      found.set(key, level?.y ?? tried.find(y => isOn(y) && isApart(y)) ?? own);
    }
    return found.get(port) ?? middleOf(block);
  }

  // The first one is as far above the middle as the last one is below it.
  #stacked(block: Block, side: Side, key: string): number {
    const ports = this.#portsOf(block, side);
    const middleOf = (index: number) => stackOf(ports.slice(0, index)) + (ports[index]?.height ?? 0) / 2;
    const index = ports.findIndex(port => port.key === key);
    return middleOf(Math.max(0, index)) - (middleOf(0) + middleOf(ports.length - 1)) / 2;
  }

  #portsOf({ name }: Block, side: Side): readonly Port[] {
    return this.#sides.get(`${side} ${name}`) ?? [];
  }

  #add({ name }: Block, side: Side, port: Port): void {
    const key = `${side} ${name}`;
    const ports = this.#sides.get(key) ?? [];
    this.#sides.set(key, ports);
    if (ports.some(other => other.key === port.key)) return;
    // The labels are left of blocks.
    const isLabeled = side === 'left' && port.key.startsWith('label ');
    ports.push({ ...port, height: isLabeled ? Math.max(port.height, PLAIN) : PLAIN });
  }
}

function stackOf(ports: readonly Port[]): number {
  return ports.reduce((sum, { height }) => sum + height, 0);
}
