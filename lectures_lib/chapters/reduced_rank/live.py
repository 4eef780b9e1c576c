"""The live pictures of many classes: a cloud in space that the hand turns, and new voices."""

from __future__ import annotations

import numpy as np

from lectures_lib.chapters.reduced_rank.pictures import FIRST_VIEW, STAGES, space_scene, voice_scene
from lectures_lib.datasets import load_vowel
from lectures_lib.figures import Scene
from lectures_lib.fisher import FisherDiscriminant
from lectures_lib.widgets import Live, TurnAt, choice, live, slider, steps, turn

PAIRS = {f"{i} and {i + 1}": (i, i + 1) for i in range(1, 10, 2)}


def space() -> Live:
    """Centre, sphere, project: the cloud is turned by a drag, buttons go from stage to stage."""

    def scene(view: TurnAt, stage: int) -> Scene:
        return space_scene(view, STAGES[stage])

    return live(
        scene,
        view=turn(FIRST_VIEW.turn, FIRST_VIEW.tilt, step=15, most=60),
        stage=steps(len(STAGES) - 1, label="stage", texts=STAGES),
    )


def voices() -> Live:
    """The words of one voice that was left out, beside those of the other seven."""
    vowels = load_vowel()
    train = vowels.rows(vowels.train)
    found = []
    for voice in np.unique(train.groups):
        new = train.groups == voice
        model = FisherDiscriminant().fit(train.X[~new], train.y[~new])
        z = model.transform(train.X[new])
        heard = np.array([z[train.y[new] == k].mean(axis=0) for k in range(11)])
        found.append((model.centroids_, heard))

    def scene(voice: int, axes: tuple[int, int]) -> Scene:
        return voice_scene(*found[voice - 1], axes)

    return live(
        scene,
        voice=slider(1, 8, value=1, label="voice that was left out").on(
            "from the known voices to the new one"
        ),
        axes=choice(PAIRS, label="axes"),
    )
