# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

"""Renders balls on a floor with soft shadows, a mirror and glass."""

import argparse

import numpy as np

from pcl_gpu import raycast, utils


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="host", help="host, cuda or cuda:N")
    parser.add_argument("--width", type=int, default=640, help="of the picture, pixels")
    parser.add_argument("--output", default="shadows.png", help="picture")
    options = parser.parse_args()
    device = utils.Device(options.device)

    scene = raycast.MeshScene()
    ball, ball_triangles = (
        utils.to_device(array, device) for array in raycast.make_tesselated_sphere(5)
    )
    sphere = scene.add_mesh(raycast.TriangleMesh(ball, ball_triangles, ball))
    corners = [[x, 0, z] for x in (-40, 40) for z in (-40, 40)]
    floor = utils.to_points(np.array(corners, np.float32))
    floor_triangles = np.array([[0, 1, 2], [1, 3, 2]], np.int32)
    scene.add_instance(
        scene.add_mesh(
            raycast.TriangleMesh(
                utils.to_device(floor, device),
                utils.to_device(floor_triangles, device),
            )
        )
    )
    materials = {0: raycast.Material(diffuse=[0.75, 0.72, 0.68])}
    for x, z, radius, material in (
        (-2.3, 0.2, 1.0, raycast.Material(diffuse=[0.8, 0.2, 0.1], specular=0.5)),
        (0.0, -1.0, 1.0, raycast.Material(diffuse=[0.9] * 3, reflectivity=0.85)),
        (2.2, 0.4, 1.0, raycast.Material(transparency=0.9, reflectivity=0.05)),
        (0.9, 1.9, 1.0, raycast.Material(diffuse=[0.1, 0.3, 0.8], specular=0.5)),
    ):
        pose = np.eye(4)
        pose[:3, 3] = [x, radius, z]
        materials[scene.add_instance(sphere, pose)] = material

    height = options.width * 9 // 16
    camera = utils.PinholeCamera.from_field_of_view(0.4, options.width, height)
    view = raycast.CameraView(camera, utils.look_at([1.5, 4.5, 11], [0.2, 0.75, 0.3]))
    renderer = raycast.MeshRenderer(
        lights=[raycast.Light.rectangle([-5, 9, 4], [1.5, 0, 0], [0, 0, 1.5])],
        instance_materials=materials,
        ambient=raycast.LightGradient([0.35, 0.38, 0.42], [0.1, 0.1, 0.1]),
        background=raycast.LightGradient([0.25, 0.4, 0.7], [0.8, 0.85, 0.9]),
        shadows=raycast.Shadows.SOFT,
        soft_shadow_samples=6,
    )
    renderer.set_scene(scene)
    picture = utils.to_device(renderer.render(view), utils.Device.host())
    utils.write_color_image(options.output, np.ascontiguousarray(picture))
    print(f"{scene.number_of_triangles} triangles, {options.width} x {height} pixels")
    print(options.output)


if __name__ == "__main__":
    main()
