  // A gallery of tours and a player for one of them. The tours stay as they are stored; only those on the page are drawn.
  const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const digit = new Uint8Array(128);
  [...DIGITS].forEach((letter, value) => { digit[letter.charCodeAt(0)] = value; });
  const number = (text, from, to) => {
    let value = 0;
    for (let at = from; at < to; at++) value = value * 64 + digit[text.charCodeAt(at)];
    return value;
  };

  // The tours: a record has the kind and symmetries in 2 digits, the start in 4, and two moves in each further one.
  const HEAD = 6;
  let total = 0;
  for (const run of data.runs) {
    run.squares = run.rows * run.cols;
    run.length = HEAD + Math.ceil((run.squares - 1) / 2);
    const ground = data.grounds[run.ground]; // any board
    if (ground) run.squares = ground.squares; // any board
    if (ground) run.length = HEAD + ground.digits * (ground.squares - 1); // any board
    run.first = total;
    total += run.records.length / run.length;
  }
  const flags = new Uint16Array(total);
  for (const run of data.runs) {
    for (let at = 0, index = run.first; at < run.records.length; at += run.length) {
      flags[index++] = number(run.records, at, at + 2);
    }
  }
  const kindOf = flag => flag >> 8;
  // What a tour is symmetric under, in words; nothing if it is asymmetric.
  const under = flag => data.under[flag & 255] || '';

  function tourAt(index) {
    let low = 0, high = data.runs.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (data.runs[middle].first <= index) low = middle; else high = middle - 1;
    }
    const run = data.runs[low], begin = (index - run.first) * run.length;
    const squares = new Array(run.squares);
    const ground = data.grounds[run.ground]; // any board
    let square = number(run.records, begin + 2, begin + HEAD);
    squares[0] = square;
    for (let step = 1; step < run.squares; step++) {
      if (ground) squares[step] = number(run.records, begin + HEAD + ground.digits * (step - 1), begin + HEAD + ground.digits * step); // any board
      if (ground) continue; // any board
      const pair = digit[run.records.charCodeAt(begin + HEAD + ((step - 1) >> 1))];
      const [up, right] = data.moves[step % 2 ? pair >> 3 : pair & 7];
      squares[step] = square += up * run.cols + right;
    }
    if (ground) return { index, rows: run.rows, cols: run.cols, squares, kind: kindOf(flags[index]), flag: flags[index], ground }; // any board
    return { index, rows: run.rows, cols: run.cols, squares, kind: kindOf(flags[index]), flag: flags[index] };
  }

  const isClosed = tour => tour.kind === 2;
  function about(tour) {
    const symmetry = under(tour.flag) ? `symmetric under ${under(tour.flag)}` : 'asymmetric';
    if (tour.ground) return `${tour.ground.name}, ${data.kinds[tour.kind]}, ${symmetry}`; // any board
    return `${tour.rows}x${tour.cols}, ${data.kinds[tour.kind]}, ${symmetry}`;
  }

  // Drawing: a square is a unit, the top row has y from 0 to 1.
  function place(tour, square) {
    if (tour.ground && tour.ground.hexagons) return tour.ground.hexagons.middles[square]; // any board
    return [square % tour.cols + .5, tour.rows - Math.floor(square / tour.cols) - .5];
  }
  function drawn(tour, margin) {
    const { rows, cols } = tour;
    const hexagons = tour.ground && tour.ground.hexagons; // any board
    if (hexagons) return drawnHexagons(hexagons, margin); // any board
    const svg = element(null, 'svg', { viewBox: `${-margin} ${-.1} ${cols + margin + .1} ${rows + margin + .1}` });
    element(svg, 'rect', { class: 'light', width: cols, height: rows });
    let dark = '';
    for (let row = 0; row < rows; row++) dark += `M${row % 2} ${rows - row - .5}H${Math.max(cols, row % 2)}`;
    element(svg, 'path', { class: 'dark', d: dark });
    const holes = tour.ground ? tour.ground.holes : []; // any board
    element(svg, 'path', { class: 'ground', d: holes.map(([row, col]) => `M${col} ${rows - 1 - row}h1v1h-1z`).join('') }); // any board
    return svg;
  }
  function drawnHexagons({ extent: [width, height], cells }, margin) { // any board
    const svg = element(null, 'svg', { viewBox: `${-margin} ${-.1} ${width + 2 * margin} ${height + margin + .1}` }); // any board
    element(svg, 'path', { class: 'light cells', d: cells }); // any board
    return svg; // any board
  } // any board
  const pathOf = tour => 'M' + tour.squares.map(square => place(tour, square).join(' ')).join('L') + (isClosed(tour) ? 'Z' : '');
  // The first moves of a tour; a move across joined edges is two lines. // any board
  function partOf(tour, moves) { // any board
    const { squares, ground } = tour, at = step => squares[step % squares.length]; // any board
    let path = 'M' + place(tour, at(0)).join(' '); // any board
    for (let step = 1; step <= moves; step++) path += (ground.gaps[`${at(step - 1)},${at(step)}`] || '') + 'L' + place(tour, at(step)).join(' '); // any board
    return path; // any board
  } // any board
  const movesOf = tour => tour.squares.length - (isClosed(tour) ? 0 : 1); // any board
  function markEnds(svg, tour) {
    const [x, y] = place(tour, tour.squares[0]);
    element(svg, 'circle', { class: 'start', cx: x, cy: y, r: .22 });
    if (isClosed(tour) || tour.squares.length < 2) return;
    const [u, v] = place(tour, tour.squares[tour.squares.length - 1]);
    element(svg, 'rect', { class: 'end', x: u - .19, y: v - .19, width: .38, height: .38 });
  }

  // The player. Position p is after p moves; that of a cycle continues to its start.
  const MOST_NUMBERS = 1024;
  let tour, position, timer = 0, walked, knight, numbers;
  const moves = () => tour.squares.length - (isClosed(tour) ? 0 : 1);
  const squareAt = p => tour.squares[p % tour.squares.length];

  function stage() {
    const svg = drawn(tour, .7);
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', about(tour));
    const names = element(svg, 'g', { class: 'names' });
    let labels = [];
    for (let col = 0; col < tour.cols; col++) labels.push([[col + .5, tour.rows + .35], column(col)]);
    for (let row = 0; row < tour.rows; row++) labels.push([[-.35, tour.rows - row - .5], row + 1]);
    if (tour.ground && tour.ground.hexagons) labels = tour.ground.hexagons.names; // any board
    for (const [[x, y], label] of labels) element(names, 'text', { x, y, dy: '.35em' }, label);
    const path = pathOf(tour);
    element(svg, 'path', { class: 'ghost', d: path });
    // All moves are of one length, so n dashes of the path are n moves.
    walked = element(svg, 'path', { class: 'tour', d: path, pathLength: Math.max(moves(), 1) });
    if (tour.ground) svg.querySelector('.ghost').setAttribute('d', partOf(tour, moves())); // any board
    markEnds(svg, tour);
    knight = element(svg, 'circle', { class: 'knight', r: .38 });
    numbers = by('numbers').checked && tour.squares.length <= MOST_NUMBERS ? drawNumbers(svg) : [];
    // On a phone a long board is scrolled, and follows the knight.
    svg.style.minWidth = `${Math.min(tour.cols, 100) * .9}rem`;
    by('stage').replaceChildren(svg);
  }
  function drawNumbers(svg) {
    const last = tour.squares.length - 1, size = Math.min(.36, .92 / String(last + 1).length);
    const group = element(svg, 'g', { class: 'numbers', 'font-size': size });
    return tour.squares.map((square, step) => {
      const [x, y] = place(tour, square), one = element(group, 'g');
      const end = step === last && last && !isClosed(tour);
      if (end) element(one, 'rect', { class: 'end', x: x - .3, y: y - .3, width: .6, height: .6 });
      else element(one, 'circle', { class: step ? 'disc' : 'start', cx: x, cy: y, r: .32 });
      element(one, 'text', { x, y, dy: '.35em', class: end || !step ? 'on-mark' : '' }, step + 1);
      return one;
    });
  }
  function go(to) {
    position = Math.min(Math.max(to, 0), moves());
    const [x, y] = place(tour, squareAt(position));
    walked.setAttribute('stroke-dasharray', `${position} ${moves() + 1}`);
    if (tour.ground) walked.setAttribute('d', partOf(tour, position)); // any board
    if (tour.ground) walked.removeAttribute('stroke-dasharray'); // any board
    walked.setAttribute('visibility', position ? 'visible' : 'hidden');
    knight.setAttribute('cx', x);
    knight.setAttribute('cy', y);
    numbers.forEach((one, step) => one.setAttribute('visibility', step <= position ? 'visible' : 'hidden'));
    const box = by('stage');
    if (box.scrollWidth > box.clientWidth) box.scrollLeft = x / tour.cols * box.scrollWidth - box.clientWidth / 2;
    by('at').value = position;
    const here = name(tour, squareAt(position));
    const move = position ? `move ${format(position)} of ${format(moves())}, ${name(tour, squareAt(position - 1))} to ${here}` : `start on ${here}, ${counted(moves(), 'move')}`;
    by('at').setAttribute('aria-valuetext', move);
    by('position').textContent = `Tour ${format(tour.index + 1)}: ${move}`;
    by('home').disabled = by('back').disabled = position === 0;
    by('end').disabled = by('on').disabled = position === moves();
  }
  function select(index) {
    pause();
    tour = tourAt(index);
    by('about').textContent = about(tour);
    by('at').max = moves();
    by('which').value = index + 1;
    history.replaceState(null, '', `#tour=${index + 1}`);
    stage();
    go(moves());
    for (const thumb of by('tours').querySelectorAll('button')) thumb.setAttribute('aria-current', Number(thumb.value) === index);
  }
  function playing(is) {
    by('play').classList.toggle('playing', is);
    by('play').setAttribute('aria-label', is ? 'Pause' : 'Play');
    // A reader of the screen hears steps, not a whole play.
    by('position').setAttribute('aria-live', is ? 'off' : 'polite');
  }
  function pause() {
    clearTimeout(timer);
    timer = 0;
    playing(false);
  }
  // A picture shows as many moves as are due since the last one. After a pause of the browser, as of
  // a page that is not looked at, it continues from where it was.
  const LONGEST_FRAME = 250;
  function tick(before) {
    const now = performance.now(), speed = Number(by('speed').value);
    const passed = Math.min(now - before, LONGEST_FRAME), due = Math.max(Math.floor(passed / 1000 * speed + .01), 1);
    go(position + due);
    if (position === moves()) pause();
    else next(now - Math.max(passed - due * 1000 / speed, 0));
  }
  function next(now) {
    timer = setTimeout(tick, 1000 / Number(by('speed').value), now);
  }
  function play() {
    if (position === moves()) go(0);
    playing(true);
    next(performance.now());
  }
  const toggle = () => timer ? pause() : play();
  const step = to => { pause(); go(to()); };
  const steps = { home: () => 0, back: () => position - 1, on: () => position + 1, end: moves };
  for (const id in steps) by(id).addEventListener('click', () => step(steps[id]));
  by('play').addEventListener('click', toggle);
  by('at').addEventListener('input', event => step(() => Number(event.target.value)));
  by('numbers').addEventListener('change', () => { stage(); go(position); });
  const keys = { Home: steps.home, ArrowLeft: steps.back, ArrowRight: steps.on, End: steps.end };
  document.addEventListener('keydown', event => {
    const control = event.target.closest('button, select, input');
    const types = control && control.matches('select, input[type=number], input[type=range]');
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (keys[event.key] && !types) step(keys[event.key]);
    else if (event.key === ' ' && (!control || control.type === 'range')) toggle();
    else return;
    event.preventDefault();
  });

  // To be taken elsewhere: its squares, its picture with the style that it has here, and the tours of the filter.
  const line = tour => tour.squares.map(square => name(tour, square)).join(' ');
  function save(parts, type, file) {
    const heading = (tour, before) => (before && before.ground === tour.ground && before.rows === tour.rows && before.cols === tour.cols) ? '' : `# board ${tour.ground ? tour.ground.name : `${tour.rows}x${tour.cols}`}\n`; // any board
    if (type === 'text/plain') parts = parts.map((part, at) => heading(tourAt(shown[at]), at && tourAt(shown[at - 1])) + part); // any board
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob(parts, { type }));
    link.download = file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  by('list').addEventListener('click', () => save(shown.map(index => line(tourAt(index)) + '\n'), 'text/plain', 'tours.txt'));
  by('copy').addEventListener('click', async () => {
    by('copy').textContent = await navigator.clipboard.writeText(line(tour)).then(() => 'Copied', () => 'Not allowed');
    setTimeout(() => { by('copy').textContent = 'Copy'; }, 2000);
  });
  by('save').addEventListener('click', () => {
    const svg = by('stage').firstChild.cloneNode(true), [x, y, width, height] = svg.getAttribute('viewBox').split(' ');
    svg.removeAttribute('style');
    for (const one of svg.querySelectorAll('.ghost, .knight')) one.remove();
    for (const one of svg.querySelectorAll('.tour, [visibility]')) for (const of of ['stroke-dasharray', 'visibility']) one.removeAttribute(of);
    if (tour.ground) svg.querySelector('.tour').setAttribute('d', partOf(tour, moves())); // any board
    svg.prepend(element(null, 'style', {}, by('board').textContent), element(null, 'rect', { class: 'ground', x, y, width, height }));
    save([new XMLSerializer().serializeToString(svg)], 'image/svg+xml', `tour-${tour.index + 1}.svg`);
  });

  // The gallery.
  const PER_PAGE = 24, MOST_DRAWN = 30000;
  const largest = data.runs.reduce((most, run) => Math.max(most, run.squares), 1);
  const perPage = Math.max(1, Math.min(PER_PAGE, Math.floor(MOST_DRAWN / largest)));
  const filters = { kind: new Map([['', () => true]]), symmetry: new Map([['', () => true]]) };
  let shown = [], page = 0;

  function addFilter(id, label, test) {
    let count = 0;
    for (const flag of flags) if (test(flag)) count++;
    if (!count) return;
    const value = String(filters[id].size);
    filters[id].set(value, test);
    by(id).add(new Option(`${label} (${format(count)})`, value));
  }
  for (const id of ['kind', 'symmetry']) by(id).add(new Option('all', ''));
  data.kinds.forEach((kind, place) => addFilter('kind', kind, flag => kindOf(flag) === place));
  addFilter('symmetry', 'asymmetric', flag => !under(flag));
  addFilter('symmetry', 'symmetric', flag => under(flag));
  for (const words of new Set(Object.values(data.under))) addFilter('symmetry', `under ${words}`, flag => under(flag) === words);

  function filter() {
    const tests = Object.keys(filters).map(id => filters[id].get(by(id).value));
    shown = [];
    flags.forEach((flag, index) => { if (tests.every(test => test(flag))) shown.push(index); });
    by('count').textContent = shown.length === total ? counted(total, 'tour') : `${format(shown.length)} of ${counted(total, 'tour')}`;
    by('list').disabled = !shown.length;
    turnTo(0);
    if (shown.length) select(shown[0]);
  }
  function thumb(index) {
    const one = tourAt(index), item = document.createElement('li'), button = document.createElement('button');
    const svg = drawn(one, .1);
    element(svg, 'path', { class: 'tour', d: pathOf(one) });
    if (one.ground) svg.querySelector('.tour').setAttribute('d', partOf(one, movesOf(one))); // any board
    markEnds(svg, one);
    svg.setAttribute('aria-hidden', true);
    button.value = index;
    button.setAttribute('aria-label', `Tour ${format(index + 1)}: ${about(one)}`);
    button.setAttribute('aria-current', Boolean(tour) && tour.index === index);
    button.title = about(one);
    button.append(svg, format(index + 1) + (under(one.flag) ? ' · symmetric' : ''));
    button.addEventListener('click', () => {
      select(index);
      by('stage').scrollIntoView({ block: 'nearest' });
    });
    item.append(button);
    return item;
  }
  function turnTo(to) {
    const pages = Math.max(1, Math.ceil(shown.length / perPage));
    page = Math.min(Math.max(to, 0), pages - 1);
    by('tours').replaceChildren(...shown.slice(page * perPage, (page + 1) * perPage).map(thumb));
    by('page').value = page + 1;
    by('page').max = pages;
    by('pages').textContent = `of ${format(pages)}`;
    by('before').disabled = page === 0;
    by('after').disabled = page === pages - 1;
  }
  for (const id in filters) by(id).addEventListener('change', filter);
  by('before').addEventListener('click', () => turnTo(page - 1));
  by('after').addEventListener('click', () => turnTo(page + 1));
  by('page').addEventListener('change', event => turnTo(Math.round(Number(event.target.value)) - 1 || 0));

  // A tour by its number, on the page of the gallery that has it.
  function goToTour(text) {
    const index = Math.round(Number(text)) - 1;
    if (!(index >= 0 && index < total)) return;
    const at = shown.indexOf(index);
    if (at >= 0) turnTo(Math.floor(at / perPage));
    select(index);
  }
  const linked = () => goToTour((/^#tour=(\d+)$/.exec(location.hash) || [])[1]);
  by('which').max = total;
  by('which').addEventListener('change', event => { goToTour(event.target.value); event.target.value = tour.index + 1; });
  window.addEventListener('hashchange', linked);

  const isWide = data.runs.some(run => run.cols > 3 * run.rows);
  document.querySelector('main').className = total < 2 ? 'single' : isWide ? 'wide' : largest > 150 ? 'large' : '';
  const hash = location.hash;
  filter();
  history.replaceState(null, '', hash || '#tour=1');
  linked();
