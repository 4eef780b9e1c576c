"""What is only true of this chapter: What it means to learn a classifier."""

from lectures_lib.chapters.learning_from_examples import live, pictures


def test_the_opening_picture_says_what_it_shows() -> None:
    scene = pictures.opening_scene(share=0.25)
    assert scene.describe() == "20 points in two classes, 15 of them in class 1."


def test_the_live_picture_starts_with_the_still_one() -> None:
    assert live.opening().scene == pictures.opening_scene()
