  // Puzzles to solve. A square is known by its step in the solution, from 0; its number is right if it is one more.
  const svgs = [...document.querySelectorAll('#stage svg')];
  let which, puzzle, svg, marks, texts, pick, filled, past, picked, typed, timer = 0;
  const given = step => puzzle.fixed.has(step);
  const named = step => name(puzzle, puzzle.places[step]);
  const at = step => puzzle.middles[step];
  const isRight = step => filled[step] === step + 1;
  const isWrong = step => filled[step] > 0 && !isRight(step);
  const isSolved = () => puzzle.places.every((_, step) => isRight(step));

  // What is wrong with a number: a neighbour that no move leads to, or only that it misses the solution.
  function fault(step) {
    const value = filled[step], last = filled.length;
    for (let other of [value - 1, value + 1]) {
      if (puzzle.closed) other = (other - 1 + last) % last + 1;
      const there = filled.indexOf(other);
      if (other > 0 && there >= 0 && !puzzle.near[step].includes(there)) return `it is no move away from ${other} on ${named(there)}`;
    }
    return 'it does not lead to the solution';
  }
  function say(text, kind) {
    by('message').textContent = text;
    by('message').className = kind || '';
  }
  const told = step => `${filled[step]} on ${named(step)} is wrong: ${fault(step)}.`;

  function show() {
    const tells = by('tells').checked, near = by('shows').checked && picked !== null ? puzzle.near[picked] : [];
    texts.forEach((text, step) => {
      if (!text) return;
      const isTyped = step === picked && typed;
      text.textContent = isTyped ? typed : filled[step] || '';
      text.setAttribute('class', isTyped ? 'found typed' : tells && isWrong(step) ? 'found wrong' : 'found');
    });
    marks.forEach((mark, step) => mark.setAttribute('class', 'square' + (tells && isWrong(step) ? ' bad' : near.includes(step) ? ' near' : '')));
    pick.setAttribute('visibility', picked === null ? 'hidden' : 'visible');
    if (picked !== null) pick.setAttribute('d', puzzle.outlines[picked]);
    const used = new Set(filled);
    for (const button of by('pad').children) button.classList.toggle('used', used.has(Number(button.value)));
    by('erase').disabled = picked === null || given(picked) || !filled[picked];
    by('undo').disabled = !past.length;
    by('again').disabled = filled.every((value, step) => !value || given(step));
    by('hint').disabled = isSolved();
  }
  function keep() {
    try { localStorage.setItem(puzzle.key, JSON.stringify(filled)); } catch { /* The page works without a memory. */ }
  }
  function kept() {
    try {
      const values = JSON.parse(localStorage.getItem(puzzle.key));
      if (values.length === puzzle.places.length) return values.map((value, step) => given(step) ? step + 1 : Number(value) || 0);
    } catch { /* Nothing is kept. */ }
    return puzzle.places.map((_, step) => given(step) ? step + 1 : 0);
  }

  function select(step) {
    commit();
    picked = step;
    say(step === null ? '' : `${named(step)}: ${given(step) ? `${step + 1} is given` : !filled[step] ? 'empty' : by('tells').checked && isWrong(step) ? told(step) : filled[step]}`, step !== null && by('tells').checked && isWrong(step) ? 'bad-news' : '');
    show();
    reveal();
  }
  // Scrolls a large board to the selected square.
  function reveal() {
    const box = by('stage');
    if (picked !== null && box.scrollWidth > box.clientWidth) box.scrollLeft = at(picked)[0] / puzzle.cols * box.scrollWidth - box.clientWidth / 2;
  }
  // Puts a number on the selected square, or 0 to empty it.
  function put(value) {
    clearTimeout(timer);
    typed = '';
    const there = value ? filled.indexOf(value) : -1;
    if (picked === null) say('Select an empty square first, then a number.');
    else if (given(picked)) say(`${picked + 1} on ${named(picked)} is given.`);
    else if (value > filled.length) say(`${value} is too large: the last number is ${filled.length}.`, 'bad-news');
    else if (there >= 0 && given(there)) say(`${value} is given on ${named(there)}.`, 'bad-news');
    else if (filled[picked] !== value) {
      past.push(filled.slice());
      if (there >= 0) filled[there] = 0;
      filled[picked] = value;
      changed(there >= 0 ? `${value} moved from ${named(there)} to ${named(picked)}.` : value ? `${value} on ${named(picked)}` : `${named(picked)}: empty`);
    }
    show();
  }
  function changed(text) {
    keep();
    svg.classList.toggle('solved', isSolved());
    for (const line of svg.querySelectorAll('.tour')) line.remove();
    if (isSolved()) {
      pause();
      const { middles } = puzzle, path = (puzzle.closed ? [...middles, middles[0]] : middles).map(middle => middle.join(' ')).join('L');
      if (!puzzle.wraps) svg.insertBefore(element(null, 'path', { class: 'tour', d: 'M' + path }), pick);
      say('Solved: every number is in its place.', 'good-news');
    } else if (picked !== null && by('tells').checked && isWrong(picked)) say(told(picked), 'bad-news');
    else if (!filled.includes(0)) say('Every square has a number, but some are wrong.', 'bad-news');
    else say(text);
  }
  function pause() { picked = null; typed = ''; clearTimeout(timer); }
  // Digits are one number until none can follow, or Enter, or a pause.
  const PAUSE = 1500;
  function type(digit) {
    if (picked === null || given(picked)) return put(Number(digit));
    typed = String(Number(typed + digit) <= filled.length ? Number(typed + digit) : Number(digit));
    clearTimeout(timer);
    if (typed === '0') typed = '';
    if (Number(typed) * 10 > filled.length) commit();
    else timer = setTimeout(commit, PAUSE);
    show();
  }
  function commit() { if (typed) put(Number(typed)); }

  function hint() {
    commit();
    if (isSolved()) return;
    const wrong = filled.findIndex((_, step) => isWrong(step));
    // Where no number follows any more, the next one is told without a reason.
    const empty = filled.findIndex((_, step) => !isRight(step));
    const next = puzzle.hints.find(([step]) => !isRight(step)) || [empty, `${empty + 1} goes on ${named(empty)}`];
    picked = wrong >= 0 ? wrong : next[0];
    say(wrong >= 0 ? told(wrong) : next[1] + '.', wrong >= 0 ? 'bad-news' : '');
    show();
    reveal();
  }
  function undo() {
    typed = '';
    if (!past.length) return;
    filled = past.pop();
    changed('The last change is taken back.');
    show();
  }
  function move(up, right) {
    commit();
    // The row of hexagons above is half a cell to the left: up leads to the right, down to the left.
    if (puzzle.hex && up) right = up;
    const { rows, cols } = puzzle, from = picked === null ? 0 : picked;
    let [col, row] = [puzzle.places[from] % cols, Math.floor(puzzle.places[from] / cols)];
    for (let step = -1; step < 0;) {
      [row, col] = [(row + up + rows) % rows, (col + right + cols) % cols];
      step = puzzle.places.indexOf(row * cols + col);
      if (step >= 0) select(step);
    }
  }

  function open(to) {
    if (puzzle) commit();
    which = Math.min(Math.max(to, 0), data.length - 1);
    puzzle = data[which];
    puzzle.fixed = new Set(puzzle.given);
    puzzle.key = `kt-enum ${puzzle.about} ${puzzle.given.map(step => `${step + 1}=${puzzle.places[step]}`)}`;
    [filled, past, picked, typed] = [kept(), [], null, ''];
    svgs.forEach((one, place) => one.classList.toggle('shown', place === which));
    svg = svgs[which];
    // On a phone a large board is scrolled.
    svg.style.minWidth = `${puzzle.cols * 2}rem`;
    const numbers = svg.querySelector('.numbers');
    for (const old of svg.querySelectorAll('.square, .picked, .found')) old.remove();
    marks = puzzle.places.map((_, step) => {
      const mark = element(null, 'path', { class: 'square', 'data-square': named(step), d: puzzle.outlines[step] });
      mark.addEventListener('click', () => select(step));
      return svg.insertBefore(mark, numbers);
    });
    pick = svg.insertBefore(element(null, 'path', { class: 'picked' }), numbers);
    texts = puzzle.places.map((_, step) => {
      const [x, y] = at(step);
      return given(step) ? null : element(numbers, 'text', { class: 'found', x, y, dy: '.35em' });
    });
    by('pad').replaceChildren(...puzzle.places.map((_, step) => step).filter(step => !given(step)).map(step => {
      const button = document.createElement('button');
      button.value = button.textContent = step + 1;
      button.addEventListener('click', () => put(step + 1));
      return button;
    }));
    by('about').textContent = puzzle.about;
    by('which').value = which + 1;
    by('before').disabled = which === 0;
    by('after').disabled = which === data.length - 1;
    history.replaceState(null, '', `#puzzle=${which + 1}`);
    changed('Select an empty square, then a number.');
    show();
  }
  const linked = () => Number((/^#puzzle=(\d+)$/.exec(location.hash) || [])[1] || 1) - 1;

  by('hint').addEventListener('click', hint);
  by('undo').addEventListener('click', undo);
  by('erase').addEventListener('click', () => put(0));
  by('again').addEventListener('click', () => {
    typed = '';
    past.push(filled.slice());
    filled = filled.map((value, step) => given(step) ? value : 0);
    changed('All squares are empty again; Undo brings the numbers back.');
    show();
  });
  by('tells').addEventListener('change', () => { changed(''); show(); });
  by('shows').addEventListener('change', show);
  by('before').addEventListener('click', () => open(which - 1));
  by('after').addEventListener('click', () => open(which + 1));
  by('which').addEventListener('change', event => open(Math.round(Number(event.target.value)) - 1 || 0));
  window.addEventListener('hashchange', () => open(linked()));
  const keys = { ArrowUp: () => move(1, 0), ArrowDown: () => move(-1, 0), ArrowRight: () => move(0, 1), ArrowLeft: () => move(0, -1), Backspace: () => put(0), Delete: () => put(0), Escape: () => { typed = ''; select(null); }, h: hint, u: undo };
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches('input[type=number]')) return;
    if (keys[event.key]) keys[event.key]();
    else if (/^\d$/.test(event.key)) type(event.key);
    else if (event.key === 'Enter' && typed) commit();
    else return;
    event.preventDefault();
  });
  document.querySelector('main').className = data.length < 2 ? 'single' : '';
  by('of').textContent = `of ${format(data.length)}`;
  open(linked());
